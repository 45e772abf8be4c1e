import type { Question } from '../../platform/store/question.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { type Broadcast, broadcastOfCampaign, broadcastOfMessages, recipientCountOf } from './broadcast.js';
import type { SendCampaignInput, SendMessagesInput } from './campaigns.dto.js';
import { findKnown } from './known-campaign.js';

/** How many texts a question shows of messages whose texts differ. */
const SHOWN = 5;

/** A preview and a repeat of a finished campaign send nothing, so nobody is asked. */
async function asks(ctx: StoreContext, broadcast: Broadcast): Promise<string | null> {
  if (!broadcast.confirm || (await findKnown(ctx, broadcast.identity))?.is_finished) return null;
  const count = await recipientCountOf(ctx, broadcast);
  const whom = count === 1 ? '1 customer' : `${count} customers`;
  if (broadcast.texts === null) return `Send this message to ${whom}?\n\n${broadcast.text}`;
  const texts = [...broadcast.texts].slice(0, SHOWN).map(([id, text]) => `${id}: ${text}`);
  const more = broadcast.texts.size - texts.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return `Send each of ${whom} a message of their own?\n\n${[...texts, ...rest].join('\n\n')}`;
}

export const asksToSend: Question = (ctx, input: SendCampaignInput) =>
  asks(ctx, broadcastOfCampaign(ctx, input));

export const asksToSendMessages: Question = (ctx, input: SendMessagesInput) =>
  asks(ctx, broadcastOfMessages(ctx, input));
