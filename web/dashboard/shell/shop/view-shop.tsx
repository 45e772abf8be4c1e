import { ActionIcon, Button } from '@mantine/core';
import { useRead } from '../../api/queries';
import { EyeIcon } from '../../parts/icons';
import { laterMenu, MenuButton } from '../../parts/menus/menu-button';
import { useIsPhone } from '../../phone';
import { words } from '../../words';

const ShopCard = laterMenu(() => import('./shop-card').then((file) => file.ShopCard));

/** Leads to the shop as shoppers see it: in this browser as the demo shopper, else in the messenger. */
export function ViewShop() {
  const { data, isPending } = useRead('GET stores/{storeId}/shop', {});
  const isPhone = useIsPhone();
  if (!data && !isPending) return null;
  const view = words.shell.viewShop;
  const opens = data?.page && {
    component: 'a' as const,
    href: data.page,
    target: '_blank',
    rel: 'noreferrer',
  };
  // It keeps its place until it is known where it leads.
  const does = data ? opens : { disabled: true };
  const button = isPhone ? (
    <ActionIcon variant="default" size={36} aria-label={view} {...does}>
      <EyeIcon />
    </ActionIcon>
  ) : (
    <Button variant="default" leftSection={<EyeIcon size={16} />} {...does}>
      {view}
    </Button>
  );
  if (!data || opens) return button;
  return (
    <MenuButton
      opens="dialog"
      button={button}
      menu={(target) => <ShopCard link={data.link} button={target} />}
    />
  );
}
