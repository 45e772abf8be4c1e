/** The reasons for a change of bonus. */
export const BONUS_KINDS = [
  'adjustment',
  'cashback',
  'cashback_reversal',
  'cashback_return',
  'referral_join',
  'referral_order',
  'spend',
  'refund',
] as const;
export type BonusKind = (typeof BONUS_KINDS)[number];
