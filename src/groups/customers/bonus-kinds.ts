/** The reasons for a change of bonus. */
export const BONUS_KINDS = [
  'adjustment',
  'cashback',
  'cashback_correction',
  'cashback_reversal',
  'cashback_return',
  'referral_join',
  'referral_order',
  'referral_reversal',
  'referral_return',
  'spend',
  'refund',
  // What a movement of an order found missing in the balance, and what a later credit settled of it.
  'debt',
  'debt_settled',
] as const;
export type BonusKind = (typeof BONUS_KINDS)[number];
