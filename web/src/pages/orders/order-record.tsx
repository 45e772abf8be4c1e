import { Text } from '@mantine/core';
import { useRead } from '../../api/queries';
import { Section } from '../../parts/states';
import { Money } from '../../parts/values/values';
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
