import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../platform/database/store-row.entity.js';

/** What the integer columns of products and variants hold. */
export const MAX_INTEGER = 2_147_483_647;

/** Prices are exact decimals in major units, as the driver gives them: text. */
@Entity('products')
export class Product extends RecordRow {
  /** The shop's own id of the product: unique in the store, never changed. */
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

  /** Null is "not tracked". */
  @Column({ type: 'integer', nullable: true })
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
}
