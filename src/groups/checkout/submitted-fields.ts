import { type CheckoutFieldType, type CheckoutProblem, isEmptyText } from './checkout-value.js';

/** What an order gives in properties of its own, of which the form has fields too. */
export interface GivenWithOrder {
  bonusToSpend?: number | null;
  promocode?: string | null;
}

type GivenName = keyof GivenWithOrder;

/** The property of an order that a field of this type stands for (docs/behaviour.md §6.15). */
export const GIVEN: Partial<Record<CheckoutFieldType, GivenName>> = {
  bonus_toggle: 'bonusToSpend',
  promocode_input: 'promocode',
};

/** The value of such a field, as conditions compare it. */
export const givenText = (name: GivenName, { bonusToSpend, promocode }: GivenWithOrder): string =>
  name === 'bonusToSpend' ? String((bonusToSpend ?? 0) > 0) : (promocode ?? '').trim();

const NOT_ASKED = { bonusToSpend: 'bonus_not_asked', promocode: 'promocode_not_asked' } as const;

interface Field {
  id: string;
  type: CheckoutFieldType;
}

/**
 * What is given although the form hides it, and rows of shown fields that say otherwise.
 * @param rows the rows of checkoutData by field: their places, and their texts without case
 */
export function problemsOfGiven(
  fields: Field[],
  shown: Field[],
  rows: ReadonlyMap<string, { row: number; folded: string }>,
  given: GivenWithOrder,
): CheckoutProblem[] {
  const types = (Object.keys(GIVEN) as CheckoutFieldType[]).filter((type) =>
    fields.some((field) => field.type === type),
  );
  const hidden = types.flatMap((type) => {
    const path = GIVEN[type]!;
    const isGiven = !isEmptyText(type, givenText(path, given));
    return isGiven && !shown.some((field) => field.type === type)
      ? [{ path, message: 'must not be given: the form does not show its field', problem: NOT_ASKED[path] }]
      : [];
  });
  const otherwise = shown.flatMap(({ id, type }) => {
    const [name, row] = [GIVEN[type], rows.get(id)];
    if (!name || !row || row.folded === givenText(name, given).toLowerCase()) return [];
    const message = `must say the same as ${name}, or be left out`;
    return [
      { path: `checkoutData[${row.row}].value`, message, problem: 'answer_wrong' as const, fieldId: id },
    ];
  });
  return [...hidden, ...otherwise];
}
