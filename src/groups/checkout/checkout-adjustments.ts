import { toMinorRoundedDown } from '../../platform/money.js';
import type { CheckoutField, PriceAdjustment } from './checkout-rules.js';

/**
 * What a field's sum is called on bills: by its label, and by the choice if that alone is what costs.
 */
function namesOf(adjustments: readonly PriceAdjustment[], form: readonly Named[]): Map<string, string> {
  const names = new Map([...form].reverse().map(({ id, label }) => [id, label]));
  for (const [id, label] of names) {
    const choices = new Set(adjustments.flatMap((one) => (one.fieldId === id ? [one.choice] : [])));
    const [choice] = choices;
    if (choices.size === 1 && choice !== undefined) names.set(id, `${label}: ${choice}`);
  }
  return names;
}

type Named = Pick<CheckoutField, 'id' | 'label'>;

/**
 * What the form adds (positive) and takes off (negative) by field, in minor units, in the form's order. Each
 * adjustment is rounded down to the minor unit separately; those of one field make one sum, and a field whose
 * sum is 0 is left out. Throws UnknownCurrency and InvalidAmount.
 */
export function adjustmentsByField(
  adjustments: readonly PriceAdjustment[],
  form: readonly Named[],
  currency: string,
): { fieldId: string; label: string; asked: bigint }[] {
  const sums = new Map<string, bigint>();
  for (const { fieldId, operator, value } of adjustments) {
    const minor = toMinorRoundedDown(value, currency);
    sums.set(fieldId, (sums.get(fieldId) ?? 0n) + (operator === 'add' ? minor : -minor));
  }
  const labels = namesOf(adjustments, form);
  return [...sums].flatMap(([fieldId, asked]) =>
    asked === 0n ? [] : [{ fieldId, label: cut(labels.get(fieldId) ?? fieldId), asked }],
  );
}

/** Labels of older forms may be very long, and every order keeps those of its adjustments. */
const cut = (label: string) => Array.from(label).slice(0, 500).join('');
