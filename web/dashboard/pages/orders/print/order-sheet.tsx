import { Group, Stack, Text, Title } from '@mantine/core';
import { useStore } from '../../../api/store';
import { dateTime } from '../../../parts/values/format';
import { Pictured } from '../../../parts/values/pictures';
import { addressOf, contactOf } from '../../../parts/values/shipping-address';
import { Money } from '../../../parts/values/values';
import type { words } from '../../../words';
import { type Order, type Pricing, stepsOf, variantOf } from '../order';

interface SheetProps {
  order: Order;
  pricing: Pricing;
  money: { paid: number };
  /** By the products' external ids. */
  pictures?: ReadonlyMap<string, string>;
  /** SKUs by the place of the line. */
  codes: ReadonlyMap<number, string>;
  /** Where shoppers reach the shop. */
  contact: string | null;
  shopper?: string;
  /** In the language of the store, because shoppers read the sheet too. */
  say: typeof words.orders;
  /** Of the shop itself: they are printed only when somebody asks for them. */
  notes: string[];
  /** For the packer: without prices. */
  isSlip: boolean;
}

/** An order for printing: what to pack, who receives it, and how it is paid. */
export function OrderSheet({ order, pricing, money, shopper, say, notes, isSlip, ...rest }: SheetProps) {
  const { name, logoUrl, accent } = useStore();
  const contact = contactOf(order.shippingAddress);
  const address = addressOf(order.shippingAddress);
  // The shopper is often the recipient. Lines of the address that are equal are all needed.
  const lines = [...(shopper && !contact.includes(shopper) ? [shopper] : []), ...contact, ...address];
  return (
    <section className="surface sheet" style={accent ? { borderTop: `4px solid ${accent}` } : undefined}>
      <Stack p="lg" gap="md">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2}>{say.one(order.id)}</Title>
            <Text size="sm">{dateTime(order.createdAt)}</Text>
          </div>
          <Stack gap={4} align="flex-end">
            {logoUrl && <img src={logoUrl} alt="" height={48} className="store-logo" />}
            <Text fw={600}>{name}</Text>
            {rest.contact && <Text size="sm">{rest.contact}</Text>}
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
        <SheetLines {...{ order, pricing, say, isSlip, ...rest }} />
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

/** What the packer looks for: the shop's own code, else the id of the product. */
const codeOf = ({ productId }: Order['items'][number], say: SheetProps['say'], sku?: string) =>
  sku === undefined ? productId : `${say.sku} ${sku}`;

type LinesProps = Pick<SheetProps, 'order' | 'pricing' | 'pictures' | 'codes' | 'say' | 'isSlip'>;

const SheetLines = ({ order, pricing, pictures, codes, say, isSlip }: LinesProps) => (
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
                {[variantOf(item), codeOf(item, say, codes.get(i))].filter(Boolean).join(' · ')}
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
