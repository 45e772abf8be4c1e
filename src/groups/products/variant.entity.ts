import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../platform/database/store-row.entity.js';

@Entity('variants')
export class Variant extends RecordRow {
  /** The product's internal id. */
  @Column('uuid')
  productId: string;

  @Column('text')
  optionTitle: string;

  @Column('text')
  variantValue: string;

  @Column('numeric')
  price: string;

  @Column({ type: 'numeric', nullable: true })
  salePrice: string | null;

  /** Null is "not tracked". */
  @Column({ type: 'integer', nullable: true })
  itemAmount: number | null;

  @Column('integer', { default: 0 })
  sortOrder: number;
}
