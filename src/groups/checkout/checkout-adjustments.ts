import { toMinorRoundedDown } from '../../platform/money.js';
import type { CheckoutField, PriceAdjustment } from './checkout-rules.js';

/**
 * What the form adds (positive) and takes off (negative) by field, in minor units, in the form's order. Each
 * adjustment is rounded down to the minor unit separately; those of one field make one sum, and a field whose
 * sum is 0 is left out. Throws UnknownCurrency and InvalidAmount.
 */
export function adjustmentsByField(
  adjustments: readonly PriceAdjustment[],
  form: readonly Pick<CheckoutField, 'id' | 'label'>[],
  currency: string,
): { fieldId: string; label: string; asked: bigint }[] {
  const sums = new Map<string, bigint>();
  for (const { fieldId, operator, value } of adjustments) {
    const minor = toMinorRoundedDown(value, currency);
    sums.set(fieldId, (sums.get(fieldId) ?? 0n) + (operator === 'add' ? minor : -minor));
  }
  const labels = new Map([...form].reverse().map(({ id, label }) => [id, label]));
  return [...sums].flatMap(([fieldId, asked]) =>
    asked === 0n ? [] : [{ fieldId, label: cut(labels.get(fieldId) ?? fieldId), asked }],
  );
}

/** Labels of older forms may be very long, and every order keeps those of its adjustments. */
const cut = (label: string) => Array.from(label).slice(0, 500).join('');
