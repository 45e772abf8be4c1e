import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { countRecipients, listRecipients } from './campaign-recipients.js';
import { type CampaignAudience, SendCampaignInput, SendMessagesInput } from './campaigns.dto.js';
import { type CallIdentity, identityOf } from './known-campaign.js';

/** What is sent to many: one text, or a text for each. */
export interface Broadcast {
  name: string;
  /** The text of all, or the first. */
  text: string;
  /** Each customer's own text; null if all get the same. */
  texts: ReadonlyMap<string, string> | null;
  imageUrl?: string;
  buttonText?: string;
  buttonUrl?: string;
  audience: CampaignAudience;
  confirm?: boolean;
  /** The same for two calls that are the same. */
  identity: CallIdentity;
}

export const broadcastOfCampaign = (ctx: StoreContext, input: SendCampaignInput): Broadcast => ({
  ...input,
  texts: null,
  identity: identityOf(ctx, 'send_campaign', SendCampaignInput, input),
});

/** @throws OperationError invalid_input if a customer is named twice */
export function broadcastOfMessages(ctx: StoreContext, input: SendMessagesInput): Broadcast {
  const { messages, ...rest } = input;
  const texts = new Map<string, string>();
  for (const [i, { customerId, text }] of messages.entries()) {
    if (texts.has(customerId))
      throw invalidInput(`messages[${i}].customerId names a customer who has a message already`).about(
        'named_twice',
        { path: `messages[${i}].customerId` },
      );
    texts.set(customerId, text);
  }
  return {
    ...rest,
    text: messages[0].text,
    texts,
    audience: { customerIds: [...texts.keys()] },
    identity: identityOf(ctx, 'send_messages', SendMessagesInput, input),
  };
}

const pathOf = ({ texts }: Broadcast) =>
  texts === null ? undefined : (i: number) => `messages[${i}].customerId`;

export const recipientsOf = (ctx: StoreContext, broadcast: Broadcast): Promise<string[]> =>
  listRecipients(ctx, broadcast.audience, pathOf(broadcast));

export const recipientCountOf = (ctx: StoreContext, broadcast: Broadcast): Promise<number> =>
  countRecipients(ctx, broadcast.audience, pathOf(broadcast));
