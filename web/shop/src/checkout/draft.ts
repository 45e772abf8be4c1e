import { useEffect, useState } from 'preact/hooks';
import { evaluateCheckout } from '../../../../src/groups/checkout/checkout-rules.js';
import { home, type Me, type Shop } from '../api';
import { attempt } from '../client';
import { words } from '../words';

const DRAFT = `checkout:${home}`;
/** Fields whose values are properties of an order, not answers. */
const APART = new Set(['bonus_toggle', 'promocode_input']);

type Answers = Record<string, string>;

/** The answers, which stay while the shopper looks at other pages, or the client loads the page again. */
export function useAnswers(shop: Shop, me: Me | undefined) {
  const [answers, setAnswers] = useState<Answers>(
    () => attempt(() => JSON.parse(sessionStorage.getItem(DRAFT) ?? '{}') as Answers) ?? {},
  );
  useEffect(() => {
    attempt(() => sessionStorage.setItem(DRAFT, JSON.stringify(answers)));
  }, [answers]);
  useEffect(() => {
    if (!me?.username) return;
    const own = shop.checkout.fields.filter(({ messengerDataKey }) => messengerDataKey === 'username');
    setAnswers((given) => ({
      ...Object.fromEntries(own.map(({ id }) => [id, `@${me.username}`])),
      ...given,
    }));
  }, [me?.username]);
  const answer = (id: string, value: string) => setAnswers((given) => ({ ...given, [id]: value }));
  return { answers, answer };
}

export const forgetAnswers = () => attempt(() => sessionStorage.removeItem(DRAFT));

/** The form as the service will see it: what is shown and asked, what is wrong, and what a quote is told. */
export function formOf(
  { checkout: { fields } }: Shop,
  answers: Answers,
  given: { promocode: string; bonusToSpend: number },
) {
  const rows = fields
    .filter(({ id, type }) => !APART.has(type) && (answers[id] ?? '') !== '')
    .map(({ id, label, type }) => ({ id, label, type, value: answers[id] }));
  const { visible, required, adjustments, problems } = evaluateCheckout(fields, rows, given);
  const problemOf = new Map(problems.map(({ fieldId, problem }) => [fieldId, problem]));
  const shown = rows.filter(({ id }) => visible.has(id));
  return {
    visible,
    required,
    shown: fields.filter(({ id }) => visible.has(id)),
    /** The answers of fields that have one; others are missing, which a quote does not mind. */
    rows: shown,
    readable: shown.filter(({ id }) => !problemOf.has(id)),
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
