import { Anchor, Popover, Stack, Text } from '@mantine/core';
import { cloneElement, type ReactElement, type RefAttributes } from 'react';
import { useRead } from '../../api/queries';
import { GoTo } from '../../parts/go-to';
import { type OpenMenuProps, useOpened } from '../../parts/menus/open-menu';
import { QrCode } from '../../parts/values/qr-code';
import { words } from '../../words/all';

/** The link to the shop and its code, for a phone that has the messenger; and what keeps orders away. */
export function ShopCard({ link, button }: { link: string | null } & OpenMenuProps) {
  const { target, opened, setOpened } = useOpened();
  const say = words.viewShop;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        {cloneElement(button as ReactElement<RefAttributes<HTMLButtonElement> & { onClick: () => void }>, {
          ref: target,
          onClick: () => setOpened(!opened),
        })}
      </Popover.Target>
      <Popover.Dropdown aria-label={words.shell.viewShop} maw={280}>
        <Stack gap="xs">
          {link === null ? (
            <Text size="sm">{say.noBot}</Text>
          ) : (
            <>
              <QrCode text={link} label={say.code} />
              <Text size="sm">{say.scan}</Text>
              <Anchor href={link} target="_blank" rel="noreferrer" size="sm" underline="always">
                {say.open}
              </Anchor>
            </>
          )}
          <Missing />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const PLACES = { product: 'products', bot: 'bot', payment: 'payment-providers', address: 'bot' } as const;

/** Why no order can be placed, each reason with the page where that changes. */
function Missing() {
  const say = words.viewShop;
  const { data } = useRead('get_store_overview', {});
  // A member without the group of the bot is told nothing of it.
  const app = useRead('GET stores/{storeId}/bot/app', {}, { enabled: Boolean(data?.bot) });
  if (!data) return null;
  const { bot, counts, checkout } = data;
  const isMissing: Record<keyof typeof PLACES, boolean> = {
    product: counts.products !== null && counts.products === counts.hiddenProducts,
    bot: bot?.connected === false,
    payment: checkout !== null && checkout.mode !== 'manual' && !isPayable(data.checklist),
    address: bot?.connected === true && app.data?.menuButton === 'not_https',
  };
  const reasons = (Object.keys(PLACES) as (keyof typeof PLACES)[]).filter((reason) => isMissing[reason]);
  if (reasons.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {say.missing}
      </Text>
      <ul className="plain-list">
        {reasons.map((reason) => (
          <li key={reason}>
            <GoTo to={PLACES[reason]}>{say.reasons[reason]}</GoTo>
          </li>
        ))}
      </ul>
    </div>
  );
}

const isPayable = (checklist: { item: string; ok: boolean }[]) =>
  checklist.some(({ item, ok }) => item === 'Shoppers can pay' && ok);
