import { ActionIcon, Button } from '@mantine/core';
import { useRead } from '../../api/queries';
import { EyeIcon } from '../../parts/icons';
import { laterMenu, MenuButton } from '../../parts/menus/menu-button';
import { useIsPhone } from '../../phone';
import { words } from '../../words';

const ShopCard = laterMenu(() => import('./shop-card').then((file) => file.ShopCard));

/** Leads to the shop as shoppers see it: in this browser as the demo shopper, else in the messenger. */
export function ViewShop() {
  const { data } = useRead('GET stores/{storeId}/shop', {});
  const isPhone = useIsPhone();
  if (!data) return null;
  const view = words.shell.viewShop;
  const opens = data.page !== null && {
    component: 'a' as const,
    href: data.page,
    target: '_blank',
    rel: 'noreferrer',
  };
  const button = isPhone ? (
    <ActionIcon variant="default" size={36} aria-label={view} {...opens}>
      <EyeIcon />
    </ActionIcon>
  ) : (
    <Button variant="default" leftSection={<EyeIcon size={16} />} {...opens}>
      {view}
    </Button>
  );
  if (opens) return button;
  return (
    <MenuButton
      opens="dialog"
      button={button}
      menu={(target) => <ShopCard link={data.link} button={target} />}
    />
  );
}
