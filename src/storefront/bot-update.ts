import type { StoreContext } from '../platform/operation/store-context.js';
import type { MessengerUser } from './messenger-user.js';

/**
 * What of a bot update the shop looks at (https://core.telegram.org/bots/api#update). The messenger's secret vouches for the
 * sender, not for the shape: everything may be missing.
 */
export interface BotUpdate {
  message?: BotMessageUpdate | null;
  my_chat_member?: { from?: MessengerUser; chat?: { type?: unknown }; new_chat_member?: { status?: unknown } } | null;
  pre_checkout_query?: (PaymentTerms & { id?: unknown; from?: MessengerUser }) | null;
}

export interface BotMessageUpdate {
  from?: MessengerUser;
  chat?: { type?: unknown };
  text?: unknown;
  successful_payment?: SuccessfulPayment | null;
}

/** What a shopper pays, or is about to. */
export interface PaymentTerms {
  currency?: unknown;
  /** Minor units of the currency. */
  total_amount?: unknown;
  /** The order's id. */
  invoice_payload?: unknown;
}

export interface SuccessfulPayment extends PaymentTerms {
  telegram_payment_charge_id?: unknown;
  provider_payment_charge_id?: unknown;
}

/** Runs work in a transaction of the store, as the shopper. */
export type InStore = <Result>(work: (ctx: StoreContext) => Promise<Result>) => Promise<Result>;

/** `/start` and what the link that led to it carried; null for any other text. */
export function startPayload(text: unknown): { payload: string | null } | null {
  const found = typeof text === 'string' ? /^\/start(?:@\w+)?(?:\s+(\S+))?\s*$/.exec(text) : null;
  return found && { payload: found[1] ?? null };
}
