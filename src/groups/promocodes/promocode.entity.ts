import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../platform/database/store-row.entity.js';
import type { Discount } from './discount.js';

@Entity('promocodes')
export class Promocode extends RecordRow {
  /** The code as the shop wrote it. */
  @Column('text')
  code: string;

  /** The case-folded code, by which codes are compared. */
  @Column('text')
  codeKey: string;

  @Column('text')
  discountType: Discount['discountType'];

  /** An exact decimal: percent, or major units of the store's currency. */
  @Column('numeric')
  discountValue: string;

  /** The code is expired from this moment on; null means that it does not expire. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** Null means no limit. */
  @Column({ type: 'bigint', nullable: true })
  maxUses: string | null;

  /** The number of placed orders that use the code. Cancelling an order lowers it. */
  @Column('bigint', { default: 0 })
  usedCount: string;

  @Column('boolean', { default: true })
  isActive: boolean;
}
