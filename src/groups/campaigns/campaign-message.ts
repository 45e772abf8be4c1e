import type { OutgoingMessage } from '../../messenger/messenger.js';
import type { SendCampaignInput } from './campaigns.dto.js';

type Given = Pick<SendCampaignInput, 'text' | 'imageUrl' | 'buttonText' | 'buttonUrl'>;

/** The message of a campaign. A button needs both a text and an address. */
export function messageOf({ text, imageUrl, buttonText, buttonUrl }: Given): OutgoingMessage {
  const button =
    buttonText !== undefined && buttonUrl !== undefined ? { text: buttonText, url: buttonUrl } : null;
  return { text, imageUrl, button };
}
