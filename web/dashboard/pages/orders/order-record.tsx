import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { Section } from '../../parts/states';
import { dateTime } from '../../parts/values/format';
import { Pictured, picturesOfOrders } from '../../parts/values/pictures';
import { Money } from '../../parts/values/values';
import { words } from '../../words';
import { type Order, stepsOf, variantOf } from './order';

/** The lines of the order, and the steps that lead to its price. */
export function Lines({ order }: { order: Order }) {
  const { id } = useStore();
  const pictures = useQuery({
    queryKey: [id, 'pictures of order', order.id],
    queryFn: () => picturesOfOrders(id, [order.id]),
  }).data;
  return (
    <Section title={words.orders.items}>
      <table className="table order-lines">
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
                <Pictured url={pictures?.get(item.productId)}>
                  {item.title}
                  <Text size="xs" c="dimmed">
                    {[variantOf(item), item.productId].filter(Boolean).join(' · ')}
                  </Text>
                </Pictured>
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

/** What the total is made of. */
function PriceSteps({ order }: { order: Order }) {
  const { data } = useRead('get_order_pricing', { orderId: order.id });
  return (
    <tfoot>
      {stepsOf(data).map(([label, amount], i) => (
        <tr key={i}>
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
      {data?.refunds.map(({ amount, at }) => (
        <tr key={at}>
          <td colSpan={2}>
            {words.orders.steps.refund}, {dateTime(at)}
          </td>
          <td className="end">{amount === null ? '–' : <Money minor={-amount} />}</td>
        </tr>
      ))}
    </tfoot>
  );
}
