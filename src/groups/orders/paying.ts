/** How long a shopper who was allowed to pay has for it. */
export const PAYING_MS = 15 * 60_000;
