import { Group, Text } from '@mantine/core';
import type { Output } from '../../api/client';
import { useRead } from '../../api/queries';
import { type Store, useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { asText, fieldName, majorMoney, minorMoney } from '../../parts/format';
import { LoadingBlock, Section } from '../../parts/states';
import { type OrderStatus, StatusBadge, When } from '../../parts/values';
import { words } from '../../words';

type Entry = Output<'get_order_timeline'>['entries'][number];

/** Everything that happened to the order, the newest first. */
export function Timeline({ orderId }: { orderId: number }) {
  const { data, error, isPending, refetch } = useRead('get_order_timeline', { orderId });
  return (
    <Section title={words.orders.timeline}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <LoadingBlock lines={3} />}
      <ol className="timeline">
        {data?.entries.toReversed().map((entry, i) => (
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

type Rule = [RegExp, (found: string[], money: (amount: string, currency: string) => string) => string];

/** The service says in English what happened; here are the kinds of its sentences, with what they are about. */
const SENTENCES: Partial<Record<Entry['kind'], Rule[]>> = {
  placed: [
    [
      /^Placed: (\d+) pieces? for (\S+) (\S+), payment by (.*)$/s,
      ([pieces, amount, currency, method], money) =>
        words.orders.happened.placed(Number(pieces), money(amount, currency), method),
    ],
  ],
  paid: [
    [
      /^Paid (\S+) (\S+) through the messenger, charge (.*)$/s,
      ([amount, currency, charge], money) => words.orders.happened.paid(money(amount, currency), charge),
    ],
  ],
  payment: [
    [
      /^A payment of (\S+) (\S+) changed nothing: (\w+), charge (.*)$/s,
      ([amount, currency, outcome, charge], money) =>
        words.orders.happened.unfit(
          money(amount, currency),
          (words.orders.outcomes as Record<string, string>)[outcome] ?? outcome,
          charge,
        ),
    ],
  ],
  message: [
    [/^The shopper was told/, () => words.orders.happened.told],
    [/^The shopper could not be told: (.*)$/s, ([outcome]) => words.orders.happened.untold(outcome)],
  ],
  delivery: [
    [
      /^(\S+) (delivered|pending|failed) after (\d+) attempts?(?:, the last: (.*))?$/s,
      ([event, state, attempts, last]) =>
        [
          words.orders.happened[state as 'delivered' | 'pending' | 'failed'](event, Number(attempts)),
          ...(last ? [words.orders.happened.last(last)] : []),
        ].join(', '),
    ],
  ],
};

/** What happened in the reader's language. What is of no kind that we know stays in the service's words. */
export function textOf({ kind, text, changes }: Pick<Entry, 'kind' | 'text' | 'changes'>, store: Store): string {
  const money = (amount: string, currency: string) => majorMoney(Number(amount), { ...store, currency });
  for (const [pattern, say] of SENTENCES[kind] ?? []) {
    const found = pattern.exec(text);
    if (found) return say(found.slice(1), money);
  }
  if (kind === 'note' || kind in SENTENCES) return text;
  const refund = /^Refund(?: of (\d+) minor units)? recorded(?:: ([^;]*))?/.exec(text);
  return [
    ...(refund ? [refunded(refund[1] && minorMoney(Number(refund[1]), store), refund[2])] : []),
    ...Object.entries((changes ?? {}) as Record<string, [unknown, unknown]>).map(([name, [before, after]]) =>
      changeText(name, before, after),
    ),
  ].join('; ');
}

const refunded = (amount?: string, reason?: string) =>
  [[words.orders.happened.refunded, amount].filter(Boolean).join(', '), reason].filter(Boolean).join(': ');

function changeText(name: string, before: unknown, after: unknown): string {
  const { happened } = words.orders;
  if (name === 'note') return happened.noteDeleted;
  if (name === 'items') return happened.items;
  if (name === 'short') return `${happened.short}: ${movedText(after ?? before)}`;
  // What a cancellation has moved; an order that comes back moves it the other way.
  if (name === 'givenBack') return `${after ? happened.givenBack : happened.takenAgain}: ${movedText(after ?? before)}`;
  if (name === 'takenBack') return `${after ? happened.takenBack : happened.givenAgain}: ${movedText(after ?? before)}`;
  return `${fieldName(name)}: ${asText(after)}`;
}

interface Moved {
  stock?: { productId: string; variantValue: string | null; quantity: number }[];
  promocode?: string;
  bonus?: number;
  cashback?: number;
}

function movedText(value: unknown): string {
  const { stock = [], ...others } = value as Moved;
  const { moved } = words.orders.happened;
  return [
    ...stock.map(
      ({ productId, variantValue, quantity }) => `${productId}${variantValue ? ` (${variantValue})` : ''} × ${quantity}`,
    ),
    ...Object.entries(others).map(([name, what]) => `${moved[name as keyof typeof moved] ?? name} ${what}`),
  ].join(', ');
}
