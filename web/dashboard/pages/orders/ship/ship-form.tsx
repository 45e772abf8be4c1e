import './ship.css';
import { Button, Checkbox, Group, Switch, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { type ResultOf, useBatches } from '../../../api/batches';
import { itemInWords } from '../../../api/telling/in-words';
import { useStore } from '../../../api/store';
import { Form } from '../../../parts/forms/form';
import { GoTo } from '../../../parts/go-to';
import { type OrderStatus, StatusBadge } from '../../../parts/values/values';
import { words } from '../../../words/all';
import { endedOf, MOST, NOTHING, type Parcel, type Parcels, shipmentsOf, type Typed } from './parcels';

type Result = ResultOf<'ship_orders'>;
type Results = Partial<Record<number, Result>>;

/** The carrier of the last parcels, which is usually that of the next ones. */
function useCarrier() {
  const key = `carrier ${useStore().id}`;
  const [carrier, setCarrier] = useState(() => localStorage.getItem(key) ?? '');
  return { carrier, setCarrier, keep: () => localStorage.setItem(key, carrier.trim()) };
}

const NUMBERS = 'input[data-number]';

/** Enter, which a scanner sends after each code, goes to the next number, and from the last to the button. */
function goOn(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  const form = event.currentTarget.form!;
  const all = [...form.querySelectorAll<HTMLElement>(`${NUMBERS}, button[type=submit]`)];
  all[all.indexOf(event.currentTarget) + 1]?.focus();
}

/** A line for each order: its parcel, its number, and its carrier if it has another. Others are left. */
export function ShipForm({ parcels }: { parcels: Parcel[] }) {
  const { handling, orders } = words;
  const { carrier, setCarrier, keep } = useCarrier();
  const [notify, setNotify] = useState(true);
  const [typed, setTyped] = useState<Parcels>({});
  const [results, setResults] = useState<Results>({});
  const change = useBatches('ship_orders', MOST, {
    done: ({ updated }) => (updated > 0 ? handling.bulkDone(updated, words.status.SHIPPED) : undefined),
  });
  const store = useStore();
  const items = shipmentsOf(parcels, typed, carrier, notify);
  // To ship a cancelled order is to revive it, and the lines are as old as the page.
  const look = useMutation({
    mutationFn: () =>
      endedOf(
        store.id,
        items.map(({ orderId }) => orderId),
      ),
  });
  const ended = look.data ?? {};
  const submit = async () => {
    keep();
    const left = await look.mutateAsync().catch(() => null);
    if (!left) return;
    const sent = items.filter(({ orderId }) => !left[orderId]);
    const answers = await change.make(sent);
    const found: Results = Object.fromEntries(answers.map((answer, i) => [sent[i].orderId, answer]));
    setResults((before) => ({ ...before, ...found }));
    const isLeft = (id: string) => !found[Number(id)] || found[Number(id)]!.error !== undefined;
    setTyped((before) => Object.fromEntries(Object.entries(before).filter(([id]) => isLeft(id))));
  };
  const isPending = look.isPending || change.isPending;
  return (
    <Form
      values={{ items: typed }}
      isDirty={items.length > 0}
      change={{ isPending, error: look.error ?? change.error }}
      onSubmit={() => void submit()}
    >
      <Group align="end">
        <TextInput
          label={orders.carrier}
          maxLength={100}
          value={carrier}
          onChange={({ currentTarget }) => setCarrier(currentTarget.value)}
          onKeyDown={goOn}
          data-number
        />
        <Switch
          label={handling.notify}
          checked={notify}
          onChange={({ currentTarget }) => setNotify(currentTarget.checked)}
        />
      </Group>
      <ul className="surface plain-list">
        {parcels.map((parcel, i) => (
          <Line
            key={parcel.id}
            parcel={parcel}
            result={results[parcel.id]}
            ended={ended[parcel.id]}
            typed={typed[parcel.id] ?? NOTHING}
            usual={carrier}
            isFirst={i === 0}
            onType={(part) =>
              setTyped((before) => ({
                ...before,
                [parcel.id]: { ...NOTHING, ...before[parcel.id], ...part },
              }))
            }
          />
        ))}
      </ul>
      <Group justify="flex-end">
        <Button type="submit" disabled={items.length === 0} loading={isPending}>
          {handling.shipCount(items.length)}
        </Button>
      </Group>
    </Form>
  );
}

interface LineProps {
  parcel: Parcel;
  result: Result | undefined;
  /** The status by which the order is not shipped any more. */
  ended: OrderStatus | undefined;
  typed: Typed;
  /** The carrier of the parcels that have none of their own. */
  usual: string;
  isFirst: boolean;
  onType: (part: Partial<Typed>) => void;
}

function Line({ parcel, result, ended, typed, usual, isFirst, onType }: LineProps) {
  const { id, shopper, status, items, address } = parcel;
  const { handling, orders } = words;
  const isShipped = result !== undefined && !result.error;
  const untold = result?.notifyFailureReason;
  return (
    <li className="ship-line">
      <div className="ship-name">
        <GoTo to={`orders/${id}`} fw={600}>
          {orders.one(id)}
        </GoTo>{' '}
        <StatusBadge status={ended ?? result?.status ?? status} />
        <Text size="sm">{shopper}</Text>
        <Text size="sm" c="dimmed">
          {[items, address].filter(Boolean).join(' → ')}
        </Text>
        {untold && (
          <Text size="sm" c="var(--amber)">
            {handling.untold}. {orders.untoldReasons[untold]}
          </Text>
        )}
      </div>
      {!isShipped && (
        <div className="ship-inputs">
          <TextInput
            aria-label={`${orders.trackingNumber}: ${orders.one(id)}`}
            placeholder={orders.trackingNumber}
            maxLength={100}
            autoComplete="off"
            autoFocus={isFirst}
            value={typed.number}
            error={ended ? orders.isNow(words.status[ended]) : result?.error && itemInWords(result.error)}
            onChange={({ currentTarget }) => onType({ number: currentTarget.value })}
            onKeyDown={goOn}
            data-number
          />
          <TextInput
            aria-label={`${orders.carrier}: ${orders.one(id)}`}
            placeholder={usual || orders.carrier}
            maxLength={100}
            value={typed.carrier}
            onChange={({ currentTarget }) => onType({ carrier: currentTarget.value })}
          />
          <Checkbox
            label={handling.withoutNumber}
            aria-label={`${handling.withoutNumber}: ${orders.one(id)}`}
            checked={typed.isReady}
            disabled={typed.number.trim() !== ''}
            onChange={({ currentTarget }) => onType({ isReady: currentTarget.checked })}
          />
        </div>
      )}
    </li>
  );
}
