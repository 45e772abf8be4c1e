import { Column, Entity } from 'typeorm';
import { INTEGER, RecordRow } from '../../platform/database/store-row.entity.js';
import type { ContestStatus } from './contests.dto.js';

@Entity('contests')
export class Contest extends RecordRow {
  @Column('text')
  title: string;

  @Column('text')
  slug: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'text', nullable: true })
  buttonText: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  startDate: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  endDate: Date;

  @Column({ type: 'bigint', nullable: true, transformer: INTEGER })
  maxParticipants: number | null;

  @Column({ type: 'text', nullable: true })
  prizeDescription: string | null;

  @Column({ type: 'text', nullable: true })
  promoCode: string | null;

  @Column({ type: 'text', nullable: true })
  rules: string | null;

  @Column({ type: 'bigint', nullable: true, transformer: INTEGER })
  bonusReward: number | null;

  @Column('text')
  status: ContestStatus;
}
