import { UpdateOf } from '../../platform/schema/derived-fields.js';
import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, Integer, OneOf, Slug, Text } from '../../platform/schema/fields.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';
import { Warnings } from '../../platform/schema/warnings.js';

const CONTEST_STATUSES = ['DRAFT', 'ACTIVE', 'ENDED', 'CANCELLED'] as const;
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
  @Slug({ description: 'Part of the web address. It is unique among the contests of the store.' })
  slug: string;
  @DateTime({ description: 'The start, which must be before endDate.' }) startDate: string;
  @DateTime({ description: 'The end, which must be after startDate.' }) endDate: string;
  @Text({ max: 5000, optional: true }) description?: string;
  @Text({ max: 100, optional: true }) buttonText?: string;
  @Integer({
    above: 0,
    optional: true,
    description: 'The largest number of participants. Without it there is no limit.',
  })
  maxParticipants?: number;
  @Text({ max: 2000, optional: true }) prizeDescription?: string;
  @Text({ max: 100, optional: true }) promoCode?: string;
  @Text({ max: 5000, optional: true }) rules?: string;
  @Integer({
    majorUnits: true,
    min: 0,
    optional: true,
    description: "The bonus that a winner receives, in major units of the store's currency.",
    hint: 'Major units.',
  })
  bonusReward?: number;
  @OneOf(CONTEST_STATUSES, {
    ...{ optional: true, default: 'DRAFT' },
    description: 'The status of the contest. The default is DRAFT.',
    hint: 'Default DRAFT.',
  })
  status?: ContestStatus;
}

@Example({ endDate: '2026-06-15T00:00:00Z', status: 'ENDED' })
export class UpdateContestInput extends UpdateOf(CreateContestInput, {
  slug: { hint: '' },
  startDate: { description: 'The start, which must be before the endDate that results from the call.' },
  endDate: { description: 'The end, which must be after the startDate that results from the call.' },
  maxParticipants: { description: 'The largest number of participants. Null removes the limit.' },
}) {
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
  @Integer({
    majorUnits: true,
    min: 0,
    nullable: true,
    description: "The bonus that a winner receives, in major units of the store's currency.",
    hint: 'Major units.',
  })
  bonusReward: number | null;
  @OneOf(CONTEST_STATUSES) status: ContestStatus;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}

/** What create_contest and update_contest answer. */
export class SavedContest extends ContestRecord {
  @Warnings() warnings?: string[];
}
