import { Example } from '../../platform/schema/example.js';
import { LIMITS } from '../../platform/schema/field-spec.js';
import { Flag, Identifier, Integer, OneOf, Text, Uri } from '../../platform/schema/fields.js';
import { Nested, NestedList, TextList } from '../../platform/schema/list-fields.js';
import { Warnings } from '../../platform/schema/warnings.js';
import { CrossField, ExactlyOneOf } from '../../platform/schema/rules.js';

/** The longest message that the messenger accepts. */
export const MAX_MESSAGE = 4_096;

@ExactlyOneOf('all', 'customerIds', 'segment')
@CrossField({
  description: 'all can only be true.',
  check: ({ all }) => (all === false ? 'all must be true' : null),
  schema: { properties: { all: { enum: [true] } } },
})
@CrossField({
  description: 'segment is not supported yet.',
  check: ({ segment }) =>
    segment === undefined ? null : 'segment is reserved and not accepted yet: use all or customerIds',
  schema: { properties: { segment: { not: {} } } },
})
@Example({ all: true })
export class CampaignAudience {
  @Flag({
    optional: true,
    description: 'True addresses every customer who is not banned and has not blocked the bot.',
    hint: '',
  })
  all?: boolean;
  @TextList({
    min: 1,
    limit: 500,
    itemMin: 1,
    itemLimit: 200,
    unordered: true,
    optional: true,
    description: 'The ids of the customers, as strings of digits. A repeated id counts once.',
    hint: 'Strings of digits.',
  })
  customerIds?: string[];
  @Text({
    optional: true,
    description: 'Reserved for later. A call that gives it is refused.',
    hint: '',
  })
  segment?: string;
}

const Name = () =>
  Text({
    ...{ min: 1, hint: 'Internal.' },
    description: 'A name for the records of the store. Customers do not see it.',
  });
const Message = (description: string) =>
  Text({ min: 1, limit: MAX_MESSAGE, description, hint: 'Plain text.' });
const ButtonText = () =>
  Text({
    ...{ min: 1, optional: true, hint: 'With buttonUrl.' },
    description:
      'The text of the button below the message. The button is sent only if buttonUrl is given too.',
  });

/** The campaign of the examples. */
export const SPRING = {
  name: 'Spring sale',
  text: 'Everything is 10 % off until Sunday.',
  buttonText: 'Open the shop',
  buttonUrl: 'https://shop.example/',
};

@Example(SPRING)
export class SendCampaignInput {
  @Name() name: string;
  @Message('The text of the message. It is sent unchanged, without markup.') text: string;
  @Uri({ optional: true }) imageUrl?: string;
  @ButtonText() buttonText?: string;
  @Uri({ protocols: ['http:', 'https:', 'tg:'], optional: true }) buttonUrl?: string;
  @Nested(() => CampaignAudience) audience: CampaignAudience;
  @Flag({
    optional: true,
    description: 'True sends the messages. Without it the call is a preview and sends nothing.',
    hint: '',
  })
  confirm?: boolean;
}

@Example({ customerId: '7012345678', text: 'Your mug is on its way.' })
class PersonalMessage {
  @Text({ min: 1, limit: LIMITS.id, description: 'The id of the customer.', hint: '' }) customerId: string;
  @Message('The text for this customer. It is sent unchanged, without markup.') text: string;
}

@Example({ name: 'Where your orders are' })
export class SendMessagesInput {
  @Name() name: string;
  @NestedList(() => PersonalMessage, { min: 1, max: 100, description: 'Each customer once.' })
  messages: PersonalMessage[];
  @Uri({ optional: true }) imageUrl?: string;
  @ButtonText() buttonText?: string;
  @Uri({ protocols: ['http:', 'https:', 'tg:'], optional: true }) buttonUrl?: string;
  @Flag({
    optional: true,
    description: 'True sends the messages. Without it the call is a preview and sends nothing.',
    hint: 'true sends.',
  })
  confirm?: boolean;
}

/**
 * Why a recipient did not get the message. `unknown` means that sending broke off during the message, so it
 * may have arrived.
 */
const CAMPAIGN_FAILURES = ['unreachable', 'send_failed', 'blocked', 'banned', 'unknown'] as const;
export type CampaignFailure = (typeof CAMPAIGN_FAILURES)[number];

@Example({ customerId: '7012345678', reason: 'blocked', detail: 'Forbidden: bot was blocked by the user' })
export class CampaignFailureRecord {
  @Identifier() customerId: string;
  @OneOf(CAMPAIGN_FAILURES) reason: CampaignFailure;
  @Text({ nullable: true, description: 'What the messenger said.' }) detail: string | null;
}

/**
 * A preview has the first three fields. A confirmed campaign has recipientCount and the other fields
 * (docs/behaviour.md §5).
 */
@Example({ preview: true, recipientCount: 240, estimatedSeconds: 10 })
export class SendCampaignResult {
  @Flag({ optional: true, description: 'True if the call was a preview, so nothing was sent.' })
  preview?: boolean;
  @Integer({ min: 0 }) recipientCount: number;
  @Integer({ min: 0, optional: true, description: 'The time that sending would take, in seconds.' })
  estimatedSeconds?: number;
  @Identifier({ optional: true }) campaignId?: string;
  @Integer({ min: 0, optional: true }) sent?: number;
  @Integer({
    min: 0,
    optional: true,
    description: 'The number of failed messages, not counting customers who have blocked the bot.',
  })
  failed?: number;
  @Integer({ min: 0, optional: true }) blocked?: number;
  @NestedList(() => CampaignFailureRecord, {
    optional: true,
    description: 'Each customer without a message, with the reason.',
  })
  failures?: CampaignFailureRecord[];
  @Integer({
    min: 1,
    optional: true,
    description:
      'The number of recipients whose message has no outcome yet, because the messenger asked for a long ' +
      'pause or the caller left. The same call goes on with them. Absent if there are none.',
  })
  pending?: number;
  @Flag({
    optional: true,
    description: 'True if the call went on with an earlier campaign of the same caller with the same input.',
  })
  repeated?: boolean;
  @Text({ optional: true, description: 'Why the messenger refused the picture. The text was sent.' })
  pictureRefused?: string;
  @Warnings() warnings?: string[];
}

/** What send_campaign takes of the message. */
@Example({ text: 'Everything is 10 % off until Sunday.' })
export class TestCampaignInput {
  @Text({ min: 1, limit: MAX_MESSAGE }) text: string;
  @Uri({ optional: true }) imageUrl?: string;
  @Text({ min: 1, optional: true, description: 'Sent only if buttonUrl is given too.' }) buttonText?: string;
  @Uri({ protocols: ['http:', 'https:', 'tg:'], optional: true }) buttonUrl?: string;
}

@Example({ sent: false, error: 'Bad Request: wrong type of the web page content' })
export class CampaignTestResult {
  @Flag({ description: 'Whether the messenger took the message.' }) sent: boolean;
  @Text({ nullable: true, description: 'Why not.' }) error: string | null;
}
