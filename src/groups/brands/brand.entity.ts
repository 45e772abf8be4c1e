import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../platform/database/store-row.entity.js';

@Entity('brands')
export class Brand extends RecordRow {
  @Column('text')
  name: string;

  @Column('text')
  slug: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'text', nullable: true })
  logoUrl: string | null;

  @Column({ type: 'text', nullable: true })
  websiteUrl: string | null;

  @Column('boolean')
  isActive: boolean;
}
