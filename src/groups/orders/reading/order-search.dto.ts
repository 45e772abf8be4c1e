import { ORDER_STATUSES, type OrderStatus } from '../../order-status.js';
import { Example } from '../../../platform/schema/example.js';
import {
  DateTime,
  Flag,
  Identifier,
  Integer,
  OneOf,
  SearchText,
  Text,
} from '../../../platform/schema/fields.js';
import { OneOfList } from '../../../platform/schema/list-fields.js';
import { FindInput } from '../../../platform/schema/pages/page.dto.js';
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';

@Example({ text: 'olena', statuses: ['PENDING', 'PROCESSING'] })
export class FindOrdersInput extends FindInput {
  @SearchText({
    description:
      "Order number, externalId, shopper's name or @username, phone number, e-mail, address, tracking " +
      'number, product title or id.',
    hint: 'Number, name, @username, phone, address, tracking, product.',
  })
  text?: string;
  @Identifier({ optional: true }) customerId?: string;
  @Identifier({ limit: 500, optional: true, description: 'Internal or external id.' }) productId?: string;
  @OneOfList(ORDER_STATUSES, { min: 1, max: 5, optional: true }) statuses?: OrderStatus[];
  @DateTime({ optional: true }) createdFrom?: string;
  @DateTime({ optional: true }) createdTo?: string;
  @DateTime({ optional: true }) updatedFrom?: string;
  @DateTime({ optional: true }) updatedTo?: string;
  @OneOf(SORTS, {
    optional: true,
    description: 'Default newest, or recently_updated. least_recently_updated skips nothing that changes.',
  })
  sort?: Sort;
}

/** How an order stands with its payment, as lists show it. */
export const PAYMENT_STATES = ['paid', 'not_paid', 'by_agreement', 'owed_back'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const PaymentFilter = () =>
  OneOf(PAYMENT_STATES, {
    optional: true,
    description:
      'paid: from PROCESSING on. not_paid: PENDING. by_agreement: placed with a provider of the agreement ' +
      'kind, such as cash on delivery. owed_back: cancelled, paid and not refunded.',
  });
export const DeliveryFilter = () =>
  Text({
    ...{ min: 1, max: 500, optional: true },
    description: 'An answer of the checkout form, such as a way of delivery. The case counts.',
  });

/** What the pages find orders by: the input of find_orders, and more. */
@Example({ statuses: ['PENDING'], payment: 'by_agreement', delivery: 'Courier' })
export class ListedOrdersInput extends FindOrdersInput {
  @PaymentFilter() payment?: PaymentState;
  @DeliveryFilter() delivery?: string;
}

@Example({
  id: 1042,
  totalPrice: 4200,
  currency: 'USD',
  customerId: '7012345678',
  customerName: 'Olena Kovalenko',
  username: 'olena_k',
  itemCount: 3,
  items: '2x Logo T-shirt (M), Mug',
  paid: 4200,
  refunded: 0,
  owedBack: 0,
})
export class FoundOrder {
  @Integer({ above: 0 }) id: number;
  @OneOf(ORDER_STATUSES) status: OrderStatus;
  @Integer({ min: 0, minorUnits: true, description: 'Minor units.' }) totalPrice: number;
  @Text() currency: string;
  @Identifier() customerId: string;
  @Text({ nullable: true, typedByShopper: true }) customerName: string | null;
  @Text({ nullable: true, typedByShopper: true }) username: string | null;
  @Integer({ min: 0, description: 'Pieces of all lines.' }) itemCount: number;
  @Text({ typedByShopper: true, description: 'The first three items, as one line of text.' })
  items: string;
  @Text({ nullable: true }) carrier: string | null;
  @Text({ nullable: true }) trackingNumber: string | null;
  @Text({ nullable: true }) trackingUrl: string | null;
  @Text({ nullable: true }) externalId: string | null;
  @Integer({ min: 0, minorUnits: true, description: 'Paid in the messenger, or as it was placed.' })
  paid: number;
  @Integer({ min: 0, minorUnits: true }) refunded: number;
  @Integer({ min: 0, minorUnits: true, description: 'Cancelled, but paid and not refunded.' })
  owedBack: number;
  @Flag({ description: 'Paid by a provider in test mode.' }) isTest: boolean;
  @DateTime() createdAt: Date;
  @DateTime() updatedAt: Date;
}
