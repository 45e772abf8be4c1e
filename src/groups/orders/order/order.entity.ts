import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER, StoreRow } from '../../../platform/database/store-row.entity.js';

/** An order without its lines. Amounts are in minor units. */
@Entity('orders')
export class Order extends StoreRow {
  @PrimaryColumn({ type: 'bigint', transformer: INTEGER })
  id: number;

  @Column('text')
  status: string;

  @Column('text')
  paymentMethod: string;

  @Column('bigint')
  totalPrice: string;

  @Column({ type: 'bigint', nullable: true })
  tipAmount: string | null;

  @Column('text')
  currency: string;

  @Column('bigint')
  messengerUserId: string;

  @Column({ type: 'json', nullable: true })
  shippingAddress: object | null;

  @Column({ type: 'json', nullable: true })
  checkoutData: object | null;

  @Column({ type: 'text', nullable: true })
  trackingUrl: string | null;

  @Column({ type: 'text', nullable: true })
  carrier: string | null;

  @Column({ type: 'text', nullable: true })
  trackingNumber: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  /** The states that the order has entered. */
  @Column({ type: 'text', array: true, nullable: true })
  entered: string[] | null;

  @Column({ type: 'json', nullable: true })
  pricing: object | null;

  @Column({ type: 'json', nullable: true })
  cancellation: object | null;

  /** The rules that the order's cashback went by. */
  @Column({ type: 'json', nullable: true })
  cashbackTerms: object | null;

  /** What another system knows the order by, and keeps with it. */
  @Column({ type: 'text', nullable: true })
  externalId: string | null;

  @Column({ type: 'json', nullable: true })
  metadata: object | null;

  /** What was paid in the messenger, or had been paid when the order was placed. */
  @Column('bigint')
  paid: string;

  @Column('boolean')
  isTest: boolean;

  /** What refunds name; one without amount names all that was paid. */
  @Column('bigint')
  returned: string;

  /** When a shopper was last allowed to pay, until the payment comes. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  preCheckoutAt: Date | null;
}
