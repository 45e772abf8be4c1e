import { Big } from 'big.js';
import type { BonusKind } from './bonus-kinds.js';

/** A row of the ledger with the data that explains its amount. Amounts are decimal text in major units. */
export interface ExplainedEntry {
  kind: BonusKind;
  delta: string;
  /** The balance after the entry. */
  balance: string;
  orderId: string | null;
  /** For a cashback_reversal, the cashback that the order had earned until then; otherwise null. */
  earned: string | null;
  rules: EntryRules | null;
}

/** The `rules` of an entry. Its kind determines which properties are present. */
export interface EntryRules {
  earned?: string;
  rules?: {
    productId: string;
    rule: string;
    label: string | null;
    paid: string;
    percentage: number;
    amount: string;
  }[];
  /** The number of further rules, which were not kept. */
  moreRules?: number;
  caps?: { by: 'promotion' | 'order'; label: string | null; limit: string }[];
  referrerId?: string;
  referralJoinBonus?: number;
  referredId?: string;
  referrerOrderBonus?: number;
  referrerBonusFrequency?: 'once' | 'every_order';
  /** For a debt or its settlement: the kind of the movement, its amount, and what is owed afterwards. */
  cause?: BonusKind;
  moved?: string;
  owed?: string;
}

/** What a debit that made a debt did. */
const CAUSES: Partial<Record<BonusKind, string>> = {
  spend: 'spent again',
  cashback_reversal: 'of cashback taken back',
  cashback_correction: 'of cashback corrected',
  referral_reversal: 'of referral reward taken back',
};

/** The maximum number of order lines that are listed one by one. */
const LISTED_LINES = 5;
const money = (amount: string | number) => new Big(amount).toFixed(2);

/**
 * Explains an entry: one sentence for the rule and its arithmetic, and one for the balance. Amounts are in
 * major units.
 */
export function explanationOf(entry: ExplainedEntry): string {
  const { delta, balance } = entry;
  const sign = delta.startsWith('-') ? '-' : '+';
  const before = money(new Big(balance).minus(delta).toFixed());
  return `${ruleOf(entry)}. Balance: ${before} ${sign} ${money(delta.replace('-', ''))} = ${money(balance)}.`;
}

function ruleOf(entry: ExplainedEntry): string {
  const { kind, rules } = entry;
  const order = entry.orderId === null ? 'an order that was deleted since' : `order ${entry.orderId}`;
  const amount = money(entry.delta.replace('-', ''));
  switch (kind) {
    case 'adjustment':
      return 'Adjusted by hand';
    case 'cashback':
      return rules?.rules ? `Cashback of ${order}: ${cashbackOf(rules, amount)}` : `Cashback of ${order}`;
    case 'cashback_reversal':
      return `Cashback of ${order} taken back when it was cancelled: ${takenBack(entry.earned, amount)}`;
    case 'cashback_return':
      return (
        `Cashback of ${order} given back when the order left CANCELLED: ` +
        `the ${amount} that cancelling had taken back`
      );
    case 'cashback_correction':
      return `Cashback of ${order} corrected when its items changed`;
    case 'referral_join':
      return rules?.referrerId
        ? `Welcome by referral: came by the link of customer ${rules.referrerId}, ` +
            `referralJoinBonus ${money(rules.referralJoinBonus!)}`
        : 'Welcome by referral';
    case 'referral_order':
      return rules?.referredId
        ? `Referral reward: ${order} of customer ${rules.referredId} was paid, ` +
            `referrerOrderBonus ${money(rules.referrerOrderBonus!)}` +
            (rules.referrerBonusFrequency === 'once'
              ? ', once for each referred customer'
              : ', for every order')
        : `Referral reward for ${order}`;
    case 'referral_reversal':
      return `Referral reward for ${order} taken back when it was cancelled`;
    case 'referral_return':
      return `Referral reward for ${order} given back when the order left CANCELLED`;
    case 'debt':
      return (
        `Debt: of ${money(rules?.moved ?? amount)} ${CAUSES[rules?.cause ?? kind] ?? 'taken'} for ${order} ` +
        `the balance lacked ${amount}. Owed now: ${money(rules?.owed ?? amount)}`
      );
    case 'debt_settled':
      return (
        `Debt settled first, out of the ${money(rules?.moved ?? amount)} just credited. ` +
        `Owed now: ${money(rules?.owed ?? 0)}`
      );
    case 'spend':
      return `Spent on ${order}`;
    case 'refund':
      return `Bonus spent on ${order} given back when it was cancelled`;
  }
}

/** For example: `5 % of 60 for sku-1 (level Gold) = 3, together 3, limit of the order 2.5, credited 2.50`. */
function cashbackOf({ rules = [], moreRules = 0, caps = [], earned }: EntryRules, amount: string): string {
  const lines = rules
    .slice(0, LISTED_LINES)
    .map(({ productId, rule, label, paid, percentage, amount: share }) => {
      const why = rule === 'none' ? 'no rate' : `${rule} ${label ?? ''}`.trim();
      return `${percentage} % of ${paid} for ${productId} (${why}) = ${share}`;
    });
  const more = rules.length + moreRules - lines.length;
  const limits = caps.map(
    ({ by, label, limit }) => `limit of ${by === 'order' ? 'the order' : `promotion ${label}`} ${limit}`,
  );
  return [
    [...lines, ...(more > 0 ? [`${more} more lines`] : [])].join('; '),
    ...(earned === undefined ? [] : [`together ${earned}`]),
    ...limits,
    ...(earned !== undefined && !new Big(earned).eq(amount) ? [`credited ${amount}`] : []),
  ].join(', ');
}

function takenBack(earned: string | null, amount: string): string {
  if (earned === null) return amount;
  const short = new Big(earned).minus(amount);
  return short.gt(0)
    ? `${money(earned)} earned, of which the balance held ${amount}`
    : `all of the ${money(earned)} earned`;
}
