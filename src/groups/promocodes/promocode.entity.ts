import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../platform/database/store-row.entity.js';
import type { Discount } from './discount.js';

@Entity('promocodes')
export class Promocode extends RecordRow {
  /** As the shop wrote it. */
  @Column('text')
  code: string;

  /** What codes are compared by. */
  @Column('text')
  codeKey: string;

  @Column('text')
  discountType: Discount['discountType'];

  /** An exact decimal: percent, or major units of the store's currency. */
  @Column('numeric')
  discountValue: string;

  /** Expired from this instant on; null never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** Null is without limit. */
  @Column({ type: 'bigint', nullable: true })
  maxUses: string | null;

  /** Raised by placed orders only. */
  @Column('bigint', { default: 0 })
  usedCount: string;

  @Column('boolean', { default: true })
  isActive: boolean;
}
