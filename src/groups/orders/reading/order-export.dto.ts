import { ORDER_STATUSES, type OrderStatus } from '../../order-status.js';
import { Example } from '../../../platform/schema/example.js';
import {
  DateTime,
  Decimal,
  Flag,
  Identifier,
  Integer,
  OneOf,
  SearchText,
  Text,
} from '../../../platform/schema/fields.js';
import { OneOfList } from '../../../platform/schema/list-fields.js';
import { DeliveryFilter, PaymentFilter, type PaymentState } from './order-search.dto.js';
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';

/** What the pages find orders by, without the paging. */
@Example({ statuses: ['PENDING', 'PROCESSING'], createdFrom: '2026-05-01T00:00:00Z' })
export class ExportOrdersInput {
  @SearchText({ description: 'As in find_orders.' }) text?: string;
  @Identifier({ optional: true }) customerId?: string;
  @Identifier({ limit: 500, optional: true, description: 'Internal or external id.' }) productId?: string;
  @OneOfList(ORDER_STATUSES, { min: 1, max: 5, optional: true, description: 'Separated by commas.' })
  statuses?: OrderStatus[];
  @DateTime({ optional: true }) createdFrom?: string;
  @DateTime({ optional: true }) createdTo?: string;
  @DateTime({ optional: true }) updatedFrom?: string;
  @DateTime({ optional: true }) updatedTo?: string;
  @PaymentFilter() payment?: PaymentState;
  @DeliveryFilter() delivery?: string;
  @OneOf(SORTS, { optional: true, description: 'Default newest.' }) sort?: Sort;
  @Flag({ optional: true, description: 'Semicolons between cells and decimal commas. Default false.' })
  decimalComma?: boolean;
}

/** A row of the exported table. Its fields are the columns. */
@Example({
  id: 1042,
  status: 'SHIPPED',
  createdAt: '2026-05-04T09:30:00.000Z',
  updatedAt: '2026-05-05T10:00:00.000Z',
  customerId: '7012345678',
  customerName: 'Olena Kovalenko',
  items: '2x Logo T-shirt (M); Mug',
  itemCount: 3,
  goods: 44,
  adjustments: 0,
  promocodeDiscount: 2,
  bonus: 0,
  totalPrice: 42,
  refunded: 0,
  paymentMethod: 'card',
  currency: 'USD',
})
export class ExportedOrder {
  @Integer({ above: 0 }) id: number;
  @OneOf(ORDER_STATUSES) status: OrderStatus;
  @DateTime() createdAt: Date;
  @DateTime() updatedAt: Date;
  @Identifier() customerId: string;
  @Text({ nullable: true }) customerName: string | null;
  @Text({ nullable: true }) username: string | null;
  @Text({ description: 'All lines.' }) items: string;
  @Integer({ description: 'Pieces of all lines.' }) itemCount: number;
  @Decimal({ description: 'The sum of the lines, in major units.' }) goods: string;
  @Decimal({ description: 'Increases less decreases of the checkout form, in major units.' })
  adjustments: string;
  @Text({ nullable: true }) promocode: string | null;
  @Decimal({ description: 'Major units; taken off.' }) promocodeDiscount: string;
  @Decimal({ description: 'The part paid with bonus, in major units; taken off.' }) bonus: string;
  @Decimal({
    description: 'Major units: goods and adjustments less promocodeDiscount and bonus, plus tipAmount.',
  })
  totalPrice: string;
  @Decimal({ nullable: true, description: 'Major units; part of totalPrice.' }) tipAmount: string | null;
  @Decimal({ description: 'The refunds recorded with an amount, in major units.' }) refunded: string;
  @Text() currency: string;
  @Text() paymentMethod: string;
  @Text({ nullable: true }) carrier: string | null;
  @Text({ nullable: true }) trackingNumber: string | null;
  @Text({ nullable: true }) trackingUrl: string | null;
  @Text({ nullable: true }) recipient: string | null;
  @Text({ nullable: true, description: 'Of the address, or else of the form.' }) phone: string | null;
  @Text({ nullable: true }) email: string | null;
  @Text({ nullable: true }) address: string | null;
  @Text({ nullable: true, description: 'The answers of the checkout form.' }) checkout: string | null;
}
