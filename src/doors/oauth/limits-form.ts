import { invalidInput } from '../../platform/errors.js';
import { bonusDecimals, currencyExponent, toMajor, toMinor } from '../../platform/money.js';
import type { DailyLimits } from '../../platform/store/call.js';

/** The fields of the page where a person decides about an app, as they were filled in. */
export interface LimitFields {
  limitMessages: string;
  limitBonus: string;
  limitRefunds: string;
}

export const LIMIT_FIELDS = {
  limitMessages: 'Messages to customers',
  limitBonus: 'Bonus given to customers',
  limitRefunds: 'Refunds',
} as const satisfies Record<keyof LimitFields, string>;

export const NO_LIMITS: LimitFields = { limitMessages: '', limitBonus: '', limitRefunds: '' };

export const limitFieldsOf = (form: URLSearchParams): LimitFields => ({
  limitMessages: form.get('limitMessages')?.trim() ?? '',
  limitBonus: form.get('limitBonus')?.trim() ?? '',
  limitRefunds: form.get('limitRefunds')?.trim() ?? '',
});

/** The fields as they would have been filled in for these limits. */
export function fieldsOfLimits(limits: DailyLimits | null, currency: string): LimitFields {
  if (limits === null) return NO_LIMITS;
  const { messages, bonus, refunds } = limits;
  return {
    limitMessages: messages === null ? '' : String(messages),
    limitBonus: bonus === null ? '' : String(bonus),
    limitRefunds: refunds === null ? '' : toMajor(refunds, currency),
  };
}

/** Nine digits are more than any shop gives out in a day. */
const AMOUNT = /^(\d{1,9})(?:[.,](\d+))?$/;

/** An empty field is no limit. @returns null if there is none @throws OperationError invalid_input */
export function dailyLimits(fields: LimitFields, currency: string): DailyLimits | null {
  const amount = (name: keyof LimitFields, decimals: number): string | null => {
    if (fields[name] === '') return null;
    const [, whole, part = ''] = AMOUNT.exec(fields[name]) ?? [];
    if (whole === undefined || part.length > decimals) {
      const digits = decimals === 0 ? 'a whole number' : `a number with at most ${decimals} decimals`;
      throw invalidInput(`${LIMIT_FIELDS[name]} a day must be ${digits}, or empty.`);
    }
    return part === '' ? whole : `${whole}.${part}`;
  };
  const messages = amount('limitMessages', 0);
  const bonus = amount('limitBonus', bonusDecimals(currency));
  const refunds = amount('limitRefunds', currencyExponent(currency));
  if (messages === null && bonus === null && refunds === null) return null;
  return {
    messages: messages === null ? null : Number(messages),
    bonus: bonus === null ? null : Number(bonus),
    refunds: refunds === null ? null : Number(toMinor(refunds, currency)),
  };
}
