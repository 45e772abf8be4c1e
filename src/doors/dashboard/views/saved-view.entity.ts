import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../../platform/database/store-row.entity.js';

@Entity('saved_views')
export class SavedView extends RecordRow {
  @Column('text')
  page: string;

  @Column('text')
  name: string;

  /** The name without regard to case, by which it is unique. */
  @Column('text')
  nameKey: string;

  @Column('text')
  query: string;

  /** The user who saved it. */
  @Column({ type: 'uuid', nullable: true })
  createdBy: string | null;
}
