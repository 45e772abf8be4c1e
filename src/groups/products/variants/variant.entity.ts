import { Column, Entity } from 'typeorm';
import { INTEGER, MovedRow } from '../../../platform/database/store-row.entity.js';

@Entity('variants')
export class Variant extends MovedRow {
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

  /** From then on there is no sale, also while the row still has its price. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  saleUntil: Date | null;

  /** Null means that stock is not tracked. */
  @Column({ type: 'bigint', nullable: true, transformer: INTEGER })
  itemAmount: number | null;

  @Column({ type: 'bigint', default: 0, transformer: INTEGER })
  sortOrder: number;

  /** How other systems know it. Several may have the same. */
  @Column({ type: 'text', nullable: true })
  sku: string | null;

  @Column({ type: 'text', nullable: true })
  barcode: string | null;
}
