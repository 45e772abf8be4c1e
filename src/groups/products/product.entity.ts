import { Column, Entity } from 'typeorm';
import { INTEGER, MovedRow } from '../../platform/database/store-row.entity.js';

/** Prices are exact decimals in major units, which the driver returns as text. */
@Entity('products')
export class Product extends MovedRow {
  /** The shop's own id of the product. It is unique in the store and never changes. */
  @Column('text')
  productId: string;

  @Column('text')
  title: string;

  @Column('text')
  description: string;

  @Column({ type: 'text', array: true })
  images: string[];

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

  @Column('boolean', { default: false })
  isHidden: boolean;

  @Column({ type: 'text', nullable: true })
  brand: string | null;

  @Column({ type: 'text', nullable: true })
  category: string | null;

  @Column({ type: 'text', nullable: true })
  subCategory: string | null;

  @Column({ type: 'text', nullable: true })
  tags: string | null;

  @Column({ type: 'text', nullable: true })
  shippingTime: string | null;

  @Column({ type: 'text', nullable: true })
  season: string | null;

  @Column({ type: 'uuid', nullable: true })
  brandId: string | null;

  @Column({ type: 'uuid', nullable: true })
  categoryId: string | null;

  /** How other systems know it. Several may have the same. */
  @Column({ type: 'text', nullable: true })
  sku: string | null;

  @Column({ type: 'text', nullable: true })
  barcode: string | null;

  /** The external id as it is compared, which the database computes. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  productKey: string | null;
}
