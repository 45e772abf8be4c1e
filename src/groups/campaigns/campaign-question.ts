import type { Question } from '../../platform/store/question.js';
import { CampaignRecipients } from './campaign-recipients.service.js';
import type { SendCampaignInput } from './campaigns.dto.js';

/** A preview sends nothing, so nobody is asked. */
export const asksToSend: Question = async (ctx, { audience, text, confirm }: SendCampaignInput) => {
  if (!confirm) return null;
  const count = await new CampaignRecipients().count(ctx, audience);
  return `Send this message to ${count === 1 ? '1 customer' : `${count} customers`}?\n\n${text}`;
};
