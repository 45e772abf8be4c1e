import { useStore } from '../../api/store';
import { words } from '../../words';
import { dateTime, majorMoney, minorMoney, relative } from './format';
import { Tip } from '../tip';

export type Tone = 'amber' | 'blue' | 'violet' | 'green' | 'red' | 'grey';

export const Badge = ({ tone, children }: { tone: Tone; children: React.ReactNode }) => (
  <span className={`badge badge-${tone}`}>{children}</span>
);

const STATUS_TONES: Record<keyof typeof words.status, Tone> = {
  PENDING: 'amber',
  PROCESSING: 'blue',
  SHIPPED: 'violet',
  DELIVERED: 'green',
  CANCELLED: 'grey',
};

export type OrderStatus = keyof typeof STATUS_TONES;
export const ORDER_STATUSES = Object.keys(STATUS_TONES) as OrderStatus[];

export const StatusBadge = ({ status }: { status: OrderStatus }) => (
  <Badge tone={STATUS_TONES[status]}>{words.status[status]}</Badge>
);

export const YesNo = ({ value }: { value: boolean }) => (
  <Badge tone={value ? 'green' : 'grey'}>{value ? words.common.yes : words.common.no}</Badge>
);

/** A moment in the store's time zone. The tooltip adds how long ago it was, and UTC. */
export function When({ iso, short = false }: { iso: string | null; short?: boolean }) {
  if (!iso) return <>{words.common.never}</>;
  const label = () =>
    `${short ? dateTime(iso) : relative(iso)} · ${iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}`;
  return (
    <Tip label={label}>
      <time dateTime={iso}>{short ? relative(iso) : dateTime(iso)}</time>
    </Tip>
  );
}

/** An amount in the open store's currency: `minor` units as in orders, or `major` units as in products. */
export function Money({ minor, major }: { minor?: number | null; major?: number | null }) {
  const store = useStore();
  if (minor !== undefined && minor !== null)
    return <span className="numeric">{minorMoney(minor, store)}</span>;
  if (major !== undefined && major !== null)
    return <span className="numeric">{majorMoney(major, store)}</span>;
  return <>–</>;
}
