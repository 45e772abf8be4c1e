import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, Integer, LongText, OneOf, Text, Uri } from '../../platform/schema/fields.js';
import { NestedList } from '../../platform/schema/list-fields.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';
import { CampaignFailureRecord, SPRING } from './campaigns.dto.js';

const PENDING = 'The number of recipients whose message has no outcome yet.';
const SENT = 'The number of recipients who received the message.';
const FAILED = 'The number of recipients whose message failed, not counting those who have blocked the bot.';
const BLOCKED = 'The number of recipients who have blocked the bot.';
const STATE =
  'Sending: a call of send_campaign is at work. Interrupted: the call ended before all messages were ' +
  'sent; the same call sends the rest. Finished: every recipient has an outcome.';
const AUDIENCE = 'Whether it was for all customers or for those that were named.';
const FINISHED_AT = 'The time at which the last recipient got an outcome; null until then.';

const CAMPAIGN_STATES = ['sending', 'interrupted', 'finished'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** What the dashboard and the operations show of a campaign alike. */
@Example({
  ...SPRING,
  audience: 'all',
  pending: 0,
  sent: 231,
  failed: 4,
  blocked: 5,
  finishedAt: '2026-05-04T09:30:12.000Z',
})
class CampaignFields {
  @Identifier() id: string;
  @Text({ description: 'The name for the records of the store.' }) name: string;
  @LongText({ description: 'The text of the message.' }) text: string;
  @Uri({ nullable: true }) imageUrl: string | null;
  @Text({ nullable: true }) buttonText: string | null;
  @Uri({ nullable: true, protocols: ['http:', 'https:', 'tg:'] }) buttonUrl: string | null;
  @OneOf(['all', 'chosen'], { description: AUDIENCE }) audience: string;
  @Integer({ min: 0, description: PENDING }) pending: number;
  @Integer({ min: 0, description: SENT }) sent: number;
  @Integer({ min: 0, description: FAILED }) failed: number;
  @Integer({ min: 0, description: BLOCKED }) blocked: number;
  @DateTime() createdAt: Date;
  @DateTime({ nullable: true, description: FINISHED_AT }) finishedAt: Date | null;
}

@Example({ status: 'finished', recipientCount: 240 })
export class CampaignRecord extends CampaignFields {
  @OneOf(CAMPAIGN_STATES, { description: STATE }) status: CampaignState;
  @Integer({ min: 0, description: 'The number of recipients: the sum of pending, sent, failed and blocked.' })
  recipientCount: number;
  @Text({ nullable: true, description: "The messenger's sentence about a picture that it refused." })
  pictureRefused: string | null;
}

/** A campaign as the operations show it. */
@Example({ state: 'finished', recipients: 240 })
export class CampaignSummary extends CampaignFields {
  @OneOf(CAMPAIGN_STATES, { description: STATE }) state: CampaignState;
  @Integer({ min: 0, description: 'The sum of pending, sent, failed and blocked.' }) recipients: number;
}

export class CampaignWithFailures extends CampaignSummary {
  @NestedList(() => CampaignFailureRecord, {
    description: 'Each customer without a message, with the reason.',
  })
  failures: CampaignFailureRecord[];
}

export class ListCampaignFailuresInput extends PageInput {
  @Identifier() id: string;
}

@Example({
  customerName: 'Olena Kovalenko',
  username: 'olena_k',
  detail: 'Forbidden: bot was blocked by the user',
})
export class CampaignFailureDetails extends CampaignFailureRecord {
  @Text({ nullable: true, description: "The customer's first and last name." }) customerName: string | null;
  @Text({ nullable: true }) username: string | null;
  @Text({ nullable: true, description: "The messenger's own message." }) detail: string | null;
}
