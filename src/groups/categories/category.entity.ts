import { Column, Entity } from 'typeorm';
import { INTEGER, RecordRow } from '../../platform/database/store-row.entity.js';

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

  @Column({ type: 'bigint', transformer: INTEGER })
  sortOrder: number;

  @Column('boolean')
  isActive: boolean;
}
