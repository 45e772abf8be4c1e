import { Group, Text } from '@mantine/core';
import type { RouteOutput } from '../../api/client';
import { useRead } from '../../api/queries';
import { type Store, useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { asText, humanized, majorMoney, minorMoney } from '../../parts/values/format';
import { LoadingBlock, Section } from '../../parts/states';
import { type OrderStatus, StatusBadge, When } from '../../parts/values/values';
import { words } from '../../words';

type Entry = RouteOutput<'GET stores/{storeId}/orders/{orderId}/timeline'>['entries'][number];

/** Everything that happened to the order, newest first. */
export function Timeline({ orderId }: { orderId: number }) {
  const { data, error, isPending, refetch } = useRead('GET stores/{storeId}/orders/{orderId}/timeline', {
    orderId: String(orderId),
  });
  // What the partner's endpoint got stands beside it, folded.
  const entries = (data?.entries ?? []).filter(({ kind }) => kind !== 'delivery').toReversed();
  return (
    <Section title={words.orders.timeline}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <LoadingBlock lines={3} />}
      <ol className="timeline">
        {entries.map((entry, i) => (
          <li key={i}>
            <Text size="sm" fw={600}>
              {words.orders.kinds[entry.kind]}
            </Text>
            <Happened entry={entry} />
            <Text size="xs" c="dimmed" component="div">
              {entry.by && <>{entry.by} · </>}
              <When iso={entry.at} />
            </Text>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Happened({ entry }: { entry: Entry }) {
  const store = useStore();
  const { status, ...others } = entry.changes ?? {};
  const [before, after] = (status ?? []) as [OrderStatus?, OrderStatus?];
  const text = textOf({ ...entry, changes: entry.changes && others }, store);
  return (
    <>
      {before && after && (
        <Group gap={6}>
          <StatusBadge status={before} /> → <StatusBadge status={after} />
        </Group>
      )}
      {(text || !status) && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text || words.orders.happened.nothing}
        </Text>
      )}
    </>
  );
}

/** Describes an entry in the reader's language. */
function textOf({ kind, text, changes, facts }: Entry, store: Store): string {
  const { happened, outcomes } = words.orders;
  const { amount, currency = store.currency, outcome = '', charge = '' } = facts;
  const sum = amount === undefined ? '' : majorMoney(Number(amount), { ...store, currency });
  switch (kind) {
    case 'note':
      return text;
    case 'placed':
      return happened.placed(facts.pieces ?? 0, sum, facts.paymentMethod ?? '');
    case 'paid':
      return happened.paid(sum, charge);
    case 'payment':
      // The amount is missing if its currency is unknown.
      if (amount === undefined) return text;
      return happened.unfit(sum, (outcomes as Record<string, string>)[outcome] ?? outcome, charge);
    case 'message':
      return messageText(facts);
    default: {
      const refund = [[happened.refunded, sum].filter(Boolean).join(', '), facts.reason]
        .filter(Boolean)
        .join(': ');
      const changed = Object.entries((changes ?? {}) as Record<string, [unknown, unknown]>);
      return [
        ...(kind === 'refund' ? [refund] : []),
        ...changed.map(([name, [before, after]]) => changeText(name, before, after, store)),
      ].join('; ');
    }
  }
}

function messageText({ message = 'shipped', outcome = '' }: Entry['facts']): string {
  const { happened, untoldReasons } = words.orders;
  const what = (happened.messages as Record<string, string>)[message] ?? message;
  if (outcome === 'sent') return happened.told(what);
  if (outcome === 'unknown') return happened.unknown(what);
  return happened.untold(what, (untoldReasons as Record<string, string>)[outcome] ?? outcome);
}

function changeText(name: string, before: unknown, after: unknown, store: Store): string {
  const { happened, total, carrier, trackingNumber, trackingUrl } = words.orders;
  if (name === 'note') return happened.noteDeleted;
  if (name === 'items') return happened.items;
  if (name === 'short') return `${happened.short}: ${movedText(after ?? before)}`;
  // A cancellation moves these; an order that is reopened moves them in the opposite direction.
  if (name === 'givenBack')
    return `${after ? happened.givenBack : happened.takenAgain}: ${movedText(after ?? before)}`;
  if (name === 'takenBack')
    return `${after ? happened.takenBack : happened.givenAgain}: ${movedText(after ?? before)}`;
  if (name === 'totalPrice') return `${total}: ${minorMoney(Number(after), store)}`;
  const { externalId } = words.references;
  const names: Record<string, string> = {
    ...{ carrier, trackingNumber, trackingUrl, externalId },
    ...happened.moved,
  };
  return `${names[name] ?? humanized(name)}: ${asText(after)}`;
}

interface Moved {
  stock?: { productId: string; variantValue: string | null; quantity: number }[];
  promocode?: string;
  bonus?: number;
  cashback?: number;
  owed?: number;
  referrerReward?: number;
}

function movedText(value: unknown): string {
  const { stock = [], ...others } = value as Moved;
  const { moved } = words.orders.happened;
  return [
    ...stock.map(
      ({ productId, variantValue, quantity }) =>
        `${productId}${variantValue ? ` (${variantValue})` : ''} × ${quantity}`,
    ),
    ...Object.entries(others).map(([name, what]) => `${moved[name as keyof typeof moved] ?? name} ${what}`),
  ].join(', ');
}
