import { Column, Entity } from 'typeorm';
import { RecordRow } from '../../platform/database/store-row.entity.js';
import type { ContestStatus } from './contests.dto.js';

/** The driver gives 64-bit integers as text; input keeps these below 2^53. */
const asNumber = {
  to: (value: unknown) => value,
  from: (text: string | null) => (text === null ? null : Number(text)),
};

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

  @Column({ type: 'bigint', nullable: true, transformer: asNumber })
  maxParticipants: number | null;

  @Column({ type: 'text', nullable: true })
  prizeDescription: string | null;

  @Column({ type: 'text', nullable: true })
  promoCode: string | null;

  @Column({ type: 'text', nullable: true })
  rules: string | null;

  @Column({ type: 'bigint', nullable: true, transformer: asNumber })
  bonusReward: number | null;

  @Column('text')
  status: ContestStatus;
}
