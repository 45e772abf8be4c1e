import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER, StoreRow } from '../../../platform/database/store-row.entity.js';

@Entity('order_notes')
export class OrderNote extends StoreRow {
  @PrimaryColumn('uuid')
  id: string;

  @Column({ type: 'bigint', transformer: INTEGER })
  orderId: number;

  @Column('text')
  text: string;

  @Column('text')
  author: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Null in notes that are older than this column. */
  @Column({ type: 'text', nullable: true })
  authorKind: string | null;

  @Column({ type: 'text', nullable: true })
  authorId: string | null;
}
