import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/change';
import { useAccount, useRead } from '../../api/queries';
import { Failure } from '../../parts/failure';
import { Section } from '../../parts/states';
import { Money, When } from '../../parts/values/values';
import { words } from '../../words';
import { type Order, variantOf } from './order-sheet';

/** The lines of the order, and the steps that lead to its price. */
export function Lines({ order }: { order: Order }) {
  return (
    <Section title={words.orders.items}>
      <table className="table">
        <thead>
          <tr>
            <th>{words.orders.product}</th>
            <th className="end">{words.orders.quantity}</th>
            <th className="end">{words.orders.sum}</th>
          </tr>
        </thead>
        <tbody>
          {order.items.map((item, i) => (
            <tr key={i}>
              <td>
                {item.title}
                <Text size="xs" c="dimmed">
                  {[variantOf(item), item.productId].filter(Boolean).join(' · ')}
                </Text>
              </td>
              <td className="end">
                {item.quantity} × <Money minor={item.price} />
              </td>
              <td className="end">
                <Money minor={item.price * item.quantity} />
              </td>
            </tr>
          ))}
        </tbody>
        <PriceSteps order={order} />
      </table>
    </Section>
  );
}

const STEPS = ['checkoutAdjustment', 'promocodeDiscount', 'bonus', 'tip'] as const;
/** These steps reduce the price. */
const LESS: readonly string[] = ['promocodeDiscount', 'bonus'];

/**
 * The audit log has the price steps from when the order was placed. Without them (an imported or changed
 * order) only the difference is shown.
 */
function PriceSteps({ order }: { order: Order }) {
  const placed = useRead('GET stores/{storeId}/audit', {
    target: `order:${order.id}`,
    operation: 'order.place',
    take: 1,
  });
  const changes = (placed.data?.items[0]?.changes ?? {}) as Record<string, [unknown, unknown] | undefined>;
  const goods = order.items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const named = STEPS.flatMap((name) => {
    const amount = Number(changes[name]?.[1] ?? 0);
    const code = name === 'promocodeDiscount' ? (changes.promocode?.[1] as string | undefined) : undefined;
    const label = words.orders.steps[name] + (code ? ` ${code}` : '');
    return amount === 0 ? [] : [[label, LESS.includes(name) ? -amount : amount] as const];
  });
  const isWhole = goods + named.reduce((sum, [, amount]) => sum + amount, 0) === order.totalPrice;
  const steps = isWhole ? named : [[words.orders.steps.other, order.totalPrice - goods] as const];
  return (
    <tfoot>
      {order.totalPrice !== goods &&
        [[words.orders.steps.items, goods] as const, ...steps].map(([label, amount]) => (
          <tr key={label}>
            <td colSpan={2}>{label}</td>
            <td className="end">
              <Money minor={amount} />
            </td>
          </tr>
        ))}
      <tr className="total">
        <td colSpan={2}>{words.orders.total}</td>
        <td className="end">
          <Money minor={order.totalPrice} />
        </td>
      </tr>
    </tfoot>
  );
}

/** The service lets the author delete a note for this long. */
const TAKE_BACK_MS = 5 * 60_000;

/** The shop's notes about the order. The shopper never sees them. */
export function Notes({ orderId }: { orderId: number }) {
  const notes = useRead('GET stores/{storeId}/orders/{orderId}/notes', { orderId: String(orderId) });
  const [text, setText] = useState('');
  const add = useChange('add_order_note', { refusals: 'form', onDone: () => setText('') });
  const me = useAccount('GET me');
  const remove = useChange('DELETE stores/{storeId}/orders/{orderId}/notes/{id}');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void add.make({ orderId, note: text.trim() });
  };
  return (
    <Section title={words.orders.notes} hint={words.orders.notesHint}>
      {notes.error && <Failure error={notes.error} retry={() => void notes.refetch()} />}
      {notes.data?.items.map((note) => (
        <div key={note.id} className="note">
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {note.text}
          </Text>
          <Group justify="space-between">
            <Text size="xs" c="dimmed" component="div">
              {note.author} · <When iso={note.createdAt} short />
            </Text>
            {note.author === me.data?.email && Date.now() - Date.parse(note.createdAt) < TAKE_BACK_MS && (
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => void remove.make({ orderId: String(orderId), id: note.id })}
              >
                {words.orders.takeBack}
              </Button>
            )}
          </Group>
        </div>
      ))}
      <form onSubmit={submit}>
        <Stack gap="xs">
          {add.error && <Failure error={add.error} />}
          <Textarea
            label={words.orders.note}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autosize
            minRows={2}
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={add.isPending} disabled={!text.trim()}>
              {words.orders.addNote}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
