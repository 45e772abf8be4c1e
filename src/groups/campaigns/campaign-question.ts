import type { Question } from '../../platform/store/question.js';
import { countRecipients } from './campaign-recipients.js';
import type { SendCampaignInput } from './campaigns.dto.js';
import { findKnown, identityOf } from './known-campaign.js';

/** A preview and a repeat of a finished campaign send nothing, so nobody is asked. */
export const asksToSend: Question = async (ctx, input: SendCampaignInput) => {
  const { audience, text, confirm } = input;
  if (!confirm || (await findKnown(ctx, identityOf(ctx, input)))?.is_finished) return null;
  const count = await countRecipients(ctx, audience);
  return `Send this message to ${count === 1 ? '1 customer' : `${count} customers`}?\n\n${text}`;
};
