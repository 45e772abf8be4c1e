import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../platform/database/store-row.entity.js';

@Entity('categories')
export class Category extends RecordRow {
  @Column('text')
  name: string;

  @Column('text')
  slug: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'text', nullable: true })
  imageUrl: string | null;

  @Column({ type: 'uuid', nullable: true })
  parentId: string | null;

  /** The driver gives 64-bit integers as text; input keeps this one within ±(2^53-1). */
  @Column({ type: 'bigint', transformer: { to: (value: unknown) => value, from: Number } })
  sortOrder: number;

  @Column('boolean')
  isActive: boolean;
}
