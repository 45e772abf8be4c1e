import { Group, Stack, Text, Title } from '@mantine/core';
import type { Output } from '../../api/client';
import { useStore } from '../../api/store';
import { dateTime } from '../../parts/values/format';
import { Pictured } from '../../parts/values/pictures';
import { addressOf, contactOf } from '../../parts/values/shipping-address';
import { Money } from '../../parts/values/values';
import { words } from '../../words';

export type Order = Output<'get_order'>;
export type Pricing = Output<'get_order_pricing'>;

/** The steps from the lines to the total; none if the lines are the total. */
export function stepsOf(
  pricing?: Pricing,
  { steps }: Pick<typeof words.orders, 'steps'> = words.orders,
): [label: string, amount: number][] {
  if (!pricing) return [];
  const { lines, adjustments, promocode, bonus, tip } = pricing;
  const goods = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const changes: [string, number][] = [
    ...adjustments.map(({ label, amount }): [string, number] => [label ?? steps.other, amount]),
    [promocode ? `${steps.promocodeDiscount} ${promocode.code}` : '', -(promocode?.amount ?? 0)],
    [steps.bonus, -bonus],
    [steps.tip, tip],
  ];
  const taken = changes.filter(([, amount]) => amount !== 0);
  return taken.length === 0 ? [] : [[steps.items, goods], ...taken];
}

/** Each order is read by its own call. */
export const MOST_TO_PRINT = 50;

/** The variant and size of a line, in addition to its product. */
export const variantOf = ({ variantOptionTitle, variantValue, size }: Order['items'][number]) =>
  [variantValue && (variantOptionTitle ? `${variantOptionTitle}: ${variantValue}` : variantValue), size]
    .filter(Boolean)
    .join(', ');

interface SheetProps {
  order: Order;
  pricing: Pricing;
  money: { paid: number };
  /** By the products' external ids. */
  pictures?: ReadonlyMap<string, string>;
  shopper?: string;
  /** In the language of the store, because shoppers read the sheet too. */
  say: typeof words.orders;
  /** Of the shop itself: they are printed only when somebody asks for them. */
  notes: string[];
  /** For the packer: without prices. */
  isSlip: boolean;
}

/** An order for printing: what to pack, who receives it, and how it is paid. */
export function OrderSheet({ order, pricing, money, pictures, shopper, say, notes, isSlip }: SheetProps) {
  const { name, logoUrl } = useStore();
  const contact = contactOf(order.shippingAddress);
  const address = addressOf(order.shippingAddress);
  // The shopper is often the recipient. Lines of the address that are equal are all needed.
  const lines = [...(shopper && !contact.includes(shopper) ? [shopper] : []), ...contact, ...address];
  return (
    <section className="surface sheet">
      <Stack p="lg" gap="md">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2}>{say.one(order.id)}</Title>
            <Text size="sm">{dateTime(order.createdAt)}</Text>
          </div>
          <Stack gap={4} align="flex-end">
            {logoUrl && <img src={logoUrl} alt="" height={48} className="store-logo" />}
            <Text fw={600}>{name}</Text>
          </Stack>
        </Group>
        {lines.length > 0 && (
          <div>
            {lines.map((line, i) => (
              <Text key={i} size="sm" className="as-typed">
                {line}
              </Text>
            ))}
          </div>
        )}
        <SheetLines {...{ order, pricing, pictures, say, isSlip }} />
        {!isSlip && (
          <Text size="sm">
            {say.payment}: {order.paymentMethod}, {paymentOf(order, money, say)}
          </Text>
        )}
        {order.checkoutData?.map(({ id, label, value }, i) => (
          <Text key={id ?? i} size="sm" className="as-typed">
            {label ?? id}: {value}
          </Text>
        ))}
        {notes.map((note, i) => (
          <Text key={i} size="sm" className="as-typed">
            {say.printedNote}: {note}
          </Text>
        ))}
      </Stack>
    </section>
  );
}

/** Whether the parcel is paid, or the money is taken where it is handed over. */
const paymentOf = ({ status }: Order, { paid }: SheetProps['money'], say: SheetProps['say']): string =>
  paid > 0 || status !== 'PENDING' ? say.paid : say.toCollect;

type LinesProps = Pick<SheetProps, 'order' | 'pricing' | 'pictures' | 'say' | 'isSlip'>;

const SheetLines = ({ order, pricing, pictures, say, isSlip }: LinesProps) => (
  <table>
    <thead>
      <tr>
        <th>{say.product}</th>
        <th className="end">{say.quantity}</th>
        {!isSlip && <th className="end">{say.price}</th>}
        {!isSlip && <th className="end">{say.sum}</th>}
      </tr>
    </thead>
    <tbody>
      {order.items.map((item, i) => (
        <tr key={i}>
          <td>
            <Pictured isEager url={pictures?.get(item.productId)}>
              {item.title}
              <Text size="xs" c="dimmed">
                {[variantOf(item), item.productId].filter(Boolean).join(' · ')}
              </Text>
            </Pictured>
          </td>
          <td className="end">{item.quantity}</td>
          {!isSlip && (
            <>
              <td className="end">
                <Money minor={item.price} />
              </td>
              <td className="end">
                <Money minor={item.price * item.quantity} />
              </td>
            </>
          )}
        </tr>
      ))}
    </tbody>
    <tfoot hidden={isSlip}>
      {stepsOf(pricing, say).map(([label, amount], i) => (
        <tr key={i}>
          <td colSpan={3}>{label}</td>
          <td className="end">
            <Money minor={amount} />
          </td>
        </tr>
      ))}
      <tr>
        <th colSpan={3}>{say.total}</th>
        <td className="end">
          <Money minor={order.totalPrice} />
        </td>
      </tr>
    </tfoot>
  </table>
);
