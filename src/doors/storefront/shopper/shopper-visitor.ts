import type { StoreBot } from '../../../groups/bot/bot-credentials.service.js';
import type { Shopper } from '../../../groups/customers/first-contact.service.js';

/** The shopper who makes a call of the storefront, verified with the token of the store's bot. */
export interface Visitor {
  shopper: Shopper;
  /** The parameter of the link with which the shopper opened the Mini App. */
  startParam: string | null;
  bot: Pick<StoreBot, 'username' | 'hasMainApp'>;
}
