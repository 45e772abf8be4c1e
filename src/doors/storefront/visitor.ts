import type { Shopper } from '../../groups/customers/first-contact.service.js';

/** The shopper behind a call of the storefront, whom the store's bot vouches for. */
export interface Visitor {
  shopper: Shopper;
  /** What the link they came by carried. */
  startParam: string | null;
  botUsername: string;
}
