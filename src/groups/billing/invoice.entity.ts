import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../platform/database/store-row.entity.js';

@Entity('invoices')
export class Invoice extends RecordRow {
  @Column('text')
  number: string;

  @Column('text')
  status: 'open' | 'paid' | 'void';

  /** In major units, as exact decimal text. */
  @Column('numeric')
  amount: string;

  @Column('text')
  currency: string;

  @Column({ type: 'timestamptz', precision: 3 })
  periodStart: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  periodEnd: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  issuedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  paidAt: Date | null;
}
