import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, Integer, OneOf, Slug, Text } from '../../platform/schema/fields.js';
import { IdInput, PageInput } from '../../platform/schema/page.dto.js';

export const CONTEST_STATUSES = ['DRAFT', 'ACTIVE', 'ENDED', 'CANCELLED'] as const;
export type ContestStatus = (typeof CONTEST_STATUSES)[number];

export class ListContestsInput extends PageInput {
  @OneOf(CONTEST_STATUSES, { optional: true }) status?: ContestStatus;
}

@Example({
  title: 'Spring raffle',
  slug: 'spring-raffle',
  startDate: '2026-05-01T00:00:00Z',
  endDate: '2026-06-01T00:00:00Z',
  maxParticipants: 500,
  bonusReward: 10,
})
export class CreateContestInput {
  @Text({ min: 1, max: 300 }) title: string;
  @Slug({ description: 'Unique among the contests of the store.' }) slug: string;
  @DateTime({ description: 'Before endDate.' }) startDate: string;
  @DateTime({ description: 'After startDate.' }) endDate: string;
  @Text({ max: 5000, optional: true }) description?: string;
  @Text({ max: 100, optional: true }) buttonText?: string;
  @Integer({ above: 0, optional: true, description: 'Absent: as many as come.' }) maxParticipants?: number;
  @Text({ max: 2000, optional: true }) prizeDescription?: string;
  @Text({ max: 100, optional: true }) promoCode?: string;
  @Text({ max: 5000, optional: true }) rules?: string;
  @Integer({ min: 0, optional: true, description: 'Bonus in major units of the currency.' }) bonusReward?: number;
  @OneOf(CONTEST_STATUSES, { optional: true, description: 'Default DRAFT.' }) status?: ContestStatus;
}

@Example({ endDate: '2026-06-15T00:00:00Z', status: 'ENDED' })
export class UpdateContestInput extends IdInput {
  @Text({ min: 1, max: 300, optional: true }) title?: string;
  @Slug({ optional: true, description: 'Unique among the contests of the store.' }) slug?: string;
  @DateTime({ optional: true, description: 'Before the resulting endDate.' }) startDate?: string;
  @DateTime({ optional: true, description: 'After the resulting startDate.' }) endDate?: string;
  @Text({ max: 5000, optional: true, nullable: true }) description?: string | null;
  @Text({ max: 100, optional: true, nullable: true }) buttonText?: string | null;
  @Integer({ above: 0, optional: true, nullable: true, description: 'Null: as many as come.' }) maxParticipants?: number | null;
  @Text({ max: 2000, optional: true, nullable: true }) prizeDescription?: string | null;
  @Text({ max: 100, optional: true, nullable: true }) promoCode?: string | null;
  @Text({ max: 5000, optional: true, nullable: true }) rules?: string | null;
  @Integer({ min: 0, optional: true, nullable: true, description: 'Bonus in major units of the currency.' })
  bonusReward?: number | null;
  @OneOf(CONTEST_STATUSES, { optional: true }) status?: ContestStatus;
}

@Example({
  title: 'Spring raffle',
  slug: 'spring-raffle',
  startDate: '2026-05-01T00:00:00.000Z',
  endDate: '2026-06-01T00:00:00.000Z',
  maxParticipants: 500,
  bonusReward: 10,
})
export class ContestRecord {
  @Identifier() id: string;
  @Text() title: string;
  @Slug() slug: string;
  @DateTime() startDate: string;
  @DateTime() endDate: string;
  @Text({ nullable: true }) description: string | null;
  @Text({ nullable: true }) buttonText: string | null;
  @Integer({ above: 0, nullable: true }) maxParticipants: number | null;
  @Text({ nullable: true }) prizeDescription: string | null;
  @Text({ nullable: true }) promoCode: string | null;
  @Text({ nullable: true }) rules: string | null;
  @Integer({ min: 0, nullable: true, description: 'Bonus in major units of the currency.' }) bonusReward: number | null;
  @OneOf(CONTEST_STATUSES) status: ContestStatus;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}
