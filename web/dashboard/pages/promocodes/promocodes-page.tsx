import { Switch } from '@mantine/core';
import { useChange } from '../../api/change';
import { CopyButton } from '../../parts/values/copy';
import { number } from '../../parts/values/format';
import type { Column } from '../../parts/lists/data-list';
import { ResourcePage } from '../../parts/lists/resource';
import { Badge, Money, When } from '../../parts/values/values';
import { words } from '../../words/all';

interface Promocode {
  id: string;
  code: string;
  discountType: 'PERCENTAGE' | 'FIXED_AMOUNT';
  discountValue: number;
  usedCount: number;
  maxUses: number | null;
  expiresAt: string | null;
  isActive: boolean;
}

export default function PromocodesPage() {
  return (
    <ResourcePage<Promocode>
      list="list_promocodes"
      create="create_promocode"
      update="update_promocode"
      remove="delete_promocode"
      columns={columns}
      words={() => ({
        ...words.promocodes,
        title: words.pages.promocodes,
        create: words.creates.promocode,
      })}
    />
  );
}

const columns = (): (string | Column<Promocode>)[] => [
  {
    key: 'code',
    label: words.promocodes.code,
    render: ({ code }) => code,
    below: (row) => overOf(row),
  },
  {
    key: 'copy',
    label: words.common.copy,
    render: ({ code }) => <CopyButton text={code} label={words.promocodes.copy(code)} />,
    wideOnly: true,
  },
  {
    key: 'discount',
    label: words.promocodes.discount,
    render: ({ discountType, discountValue }) =>
      discountType === 'PERCENTAGE' ? `${number(discountValue)} %` : <Money major={discountValue} />,
    onCard: 'head',
  },
  {
    key: 'used',
    label: words.promocodes.used,
    render: ({ usedCount, maxUses }) => `${number(usedCount)} / ${maxUses === null ? '∞' : number(maxUses)}`,
  },
  {
    key: 'expiresAt',
    label: words.promocodes.expires,
    render: ({ expiresAt }) => <When iso={expiresAt} />,
  },
  { key: 'isActive', label: words.fields.isActive, render: (row) => <ActiveSwitch {...row} /> },
];

/** Why a code that is switched on takes nothing off. */
function overOf({ expiresAt, maxUses, usedCount }: Promocode) {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
    return <Badge tone="grey">{words.promocodes.over.expired}</Badge>;
  if (maxUses !== null && usedCount >= maxUses)
    return <Badge tone="grey">{words.promocodes.over.usedUp}</Badge>;
  return null;
}

/** Toggled in place. */
function ActiveSwitch({ id, code, isActive }: Promocode) {
  const toggle = useChange('toggle_promocode', { done: words.common.saved });
  return (
    <Switch
      className="above"
      checked={isActive}
      disabled={toggle.isPending}
      aria-label={words.promocodes.active(code)}
      onChange={() => void toggle.make({ id, active: !isActive })}
    />
  );
}
