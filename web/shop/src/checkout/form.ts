import { evaluateCheckout } from '../../../../src/groups/checkout/checkout-rules.js';
import type { Field } from '../api';
import { words } from '../words';

export type Answers = Record<string, string>;

/** Fields whose values are properties of an order, not answers. */
const APART = new Set(['bonus_toggle', 'promocode_input']);
const NOTHING_GIVEN = { promocode: '', bonusToSpend: 0 };

/** The form as the service will see it: what is shown and asked, what is wrong, and what a quote is told. */
export function formOf(fields: readonly Field[], answers: Answers, given = NOTHING_GIVEN) {
  const rows = fields
    .filter(({ id, type }) => !APART.has(type) && (answers[id] ?? '') !== '')
    .map(({ id, label, type }) => ({ id, label, type, value: answers[id] }));
  const { visible, required, adjustments, problems } = evaluateCheckout(fields, rows, given);
  const problemOf = new Map(problems.map(({ fieldId, problem }) => [fieldId, problem]));
  const isShown = ({ id }: { id: string }) => visible.has(id);
  // The first of several fields with an id counts, as in the service.
  const shown = fields.filter(
    (field, i) => isShown(field) && fields.findIndex(({ id }) => id === field.id) === i,
  );
  return {
    visible,
    required,
    shown,
    /** The answers of fields that have one; others are missing, which a quote does not mind. */
    rows: rows.filter(isShown),
    readable: rows.filter((row) => isShown(row) && !problemOf.has(row.id)),
    adjustments,
    isWhole: problems.length === 0,
    problemFor: ({ id, type }: { id: string; type: string }, isTried: boolean) => {
      const problem = problemOf.get(id);
      if (!problem || !isTried) return undefined;
      return problem === 'answer_wrong'
        ? (words.wrong[type] ?? words.refusals.answer_wrong)
        : words.refusals[problem];
    },
  };
}

export type Form = ReturnType<typeof formOf>;
