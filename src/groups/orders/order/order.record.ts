import { columnOf, columns } from '../../../platform/database/columns.js';
import { Example } from '../../../platform/schema/example.js';
import { type DtoClass, fields } from '../../../platform/schema/field-spec.js';
import { DateTime, Integer, OneOf, Text } from '../../../platform/schema/fields.js';
import { FreeList, FreeObject, NestedList } from '../../../platform/schema/list-fields.js';
import { ORDER_STATUSES, type OrderStatus } from '../../order-status.js';

@Example({ orderId: 1042 })
export class OrderIdInput {
  @Integer({ above: 0 }) orderId: number;
}

/** The usual keys of a shipping address. Their values are not checked. */
export const SHIPPING_KEYS = {
  name: { description: 'The name of the recipient.' },
  phone_number: { description: 'The phone number of the recipient.' },
  email: { description: 'The e-mail address of the recipient.' },
  shipping_address: { description: "The address, as the messenger's payment form collects it." },
};

const CHECKOUT_KEYS = {
  id: { type: 'string', description: "The form field's id." },
  label: { type: 'string', description: "The form field's label." },
  type: { type: 'string', description: 'The kind of the field.' },
  value: { type: 'string', description: 'The answer.' },
};

@Example({
  productId: 'tee-logo',
  title: 'Logo T-shirt',
  quantity: 2,
  price: 2450,
  variantOptionTitle: 'Size',
  variantValue: 'M',
})
export class OrderItemRecord {
  @Text({ description: "The product's external id: its productId, not its id." }) productId: string;
  @Text() title: string;
  @Integer({ above: 0 }) quantity: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description: "The price of one piece, in minor units of the order's currency.",
  })
  price: number;
  @Text({ nullable: true, typedByShopper: true }) size: string | null;
  @Text({ nullable: true }) variantOptionTitle: string | null;
  @Text({ nullable: true }) variantValue: string | null;
}

/**
 * The order object, which get_order returns and every order webhook contains, field for field. ORDER_JSON
 * writes it.
 */
@Example({
  id: 1042,
  status: 'PROCESSING',
  paymentMethod: 'card',
  totalPrice: 4900,
  currency: 'USD',
  messengerUserId: '7012345678',
  shippingAddress: { name: 'Olena Kovalenko', phone_number: '+15550123' },
  checkoutData: [{ id: 'comment', label: 'Comment', type: 'text', value: 'Please ring twice' }],
})
export class OrderRecord {
  @Integer({ above: 0 }) id: number;
  @OneOf(ORDER_STATUSES) status: OrderStatus;
  @Text({ typedByShopper: true }) paymentMethod: string;
  @Integer({
    min: 0,
    minorUnits: true,
    description: 'The total of the order in minor units of its currency (cents; whole stars for XTR).',
  })
  totalPrice: number;
  @Integer({
    min: 0,
    nullable: true,
    minorUnits: true,
    description: "The tip, in minor units of the order's currency; it is part of totalPrice.",
  })
  tipAmount: number | null;
  @Text() currency: string;
  @Text({
    description: "The shopper's messenger user id, as a string of digits. It may be larger than 2^53.",
  })
  messengerUserId: string;
  @FreeObject({
    nullable: true,
    known: SHIPPING_KEYS,
    typedByShopper: true,
    description: 'The shipping details that the payment flow collected. Any keys are possible.',
  })
  shippingAddress: Record<string, unknown> | null;
  @FreeList({
    nullable: true,
    known: CHECKOUT_KEYS,
    typedByShopper: true,
    description: 'The rows of the checkout form, as the shopper filled them in.',
  })
  checkoutData: unknown[] | null;
  @NestedList(() => OrderItemRecord) items: OrderItemRecord[];
  @Text({ nullable: true }) trackingUrl: string | null;
  @Text({ nullable: true }) carrier: string | null;
  @Text({ nullable: true }) trackingNumber: string | null;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}

const isoTime = (name: 'createdAt' | 'updatedAt') =>
  `to_char(o.${columnOf(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "${name}"`;

const namesOf = <Row extends object>(record: DtoClass<Row>) =>
  fields(record).map(({ name }) => name as keyof Row & string);

/**
 * SQL that writes the order object of row `o` as JSON text, the fields of OrderRecord in their order. It is
 * the only presenter of orders, so that get_order, list_orders and the webhook body have the same text (spec,
 * Order object).
 * @param items the table of the order's lines; while an order is being written, they come from a CTE
 */
export function orderJson(items = 'order_items'): string {
  const written: Record<string, string> = {
    messengerUserId: 'o.messenger_user_id::text as "messengerUserId"',
    items: `(select coalesce(array_to_json(array_agg(row_to_json(l))), '[]') from (
      select ${columns<OrderItemRecord>(namesOf(OrderItemRecord), 'i')}
      from ${items} i where i.store_id = o.store_id and i.order_id = o.id order by i.position) l) as items`,
    createdAt: isoTime('createdAt'),
    updatedAt: isoTime('updatedAt'),
  };
  const list = namesOf(OrderRecord).map((name) => written[name] ?? columns<OrderRecord>([name], 'o'));
  return `(select row_to_json(j)::text from (select ${list.join(', ')}) j)`;
}

export const ORDER_JSON = orderJson();
