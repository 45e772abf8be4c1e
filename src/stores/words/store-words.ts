/** The kinds of messages that a store's bot sends by itself. */
export const BOT_MESSAGE_KINDS = [
  ...(['welcome', 'placed', 'paid', 'shipped', 'delivered', 'cancelled'] as const),
];
export type BotMessageKind = (typeof BOT_MESSAGE_KINDS)[number];

/** What a store says in a language of its own: the texts that no owner has written. */
export interface StoreWords {
  /** `{orderId}` stands for the order's number. */
  messages: Record<BotMessageKind, { text: string; buttonText: string }>;
  openOrder: string;
  openShop: string;
  carrier: (name: string) => string;
  trackingNumber: (number: string) => string;
  /** At most 32 characters, which is what the messenger takes as the title of an invoice. */
  order: (id: number) => string;
  surcharge: string;
  discount: string;
  promocode: (code: string) => string;
  bonus: string;
  tip: string;
  /** Why a payment is refused before it is made. */
  refusals: Record<
    'unknown_order' | 'other_shopper' | 'other_currency' | 'other_amount' | 'not_pending' | 'banned',
    string
  >;
}
