import { currencyExponent } from '../../platform/money.js';
import { type Sentence, warning } from '../../platform/problems.js';
import { finerWarning } from '../../platform/schema/warnings.js';
import { caseFold } from '../../platform/text/keys.js';
import { collectsValue, formatProblem, selectOptions } from './checkout-value.js';
import type { CheckoutConditionRecord, CheckoutFieldRecord } from './checkout.dto.js';

/** The operator that matches an action on the price. */
const OPERATOR_OF: Partial<Record<CheckoutConditionRecord['action'], 'add' | 'subtract'>> = {
  increase_price: 'add',
  decrease_price: 'subtract',
};

/** Names what a list that replaced another one no longer has. */
export function removedWarning(
  list: string,
  before: readonly { id: string }[],
  after: readonly { id: string }[],
): Sentence[] {
  const kept = new Set(after.map(({ id }) => id));
  const removed = [...new Set(before.map(({ id }) => id))].filter((id) => !kept.has(id));
  if (removed.length === 0) return [];
  const ids = removed.join(', ');
  return [warning(`${list} no longer has ${ids}: the list replaces all`, 'removed', { ids })];
}

/** Warns about parts of a form that make no sense, each with its path. */
export function checkoutWarnings(fields: readonly CheckoutFieldRecord[], currency: string): Sentence[] {
  const byId = new Map([...fields].reverse().map((field) => [field.id, field]));
  const seen = new Set<string>();
  return fields.flatMap(({ id, conditions = [] }, i) => {
    const place = i + 1;
    const repeated = seen.has(id)
      ? [
          warning(`fields[${i}].id is the id of another field too: the first one counts`, 'same_id', {
            place,
          }),
        ]
      : [];
    seen.add(id);
    return [
      ...repeated,
      ...conditions.flatMap((condition, j) => {
        const at = { place, path: `fields[${i}].conditions[${j}]` };
        return [...conditionWarnings(condition, at, byId), ...priceWarnings(condition, at, currency)];
      }),
    ];
  });
}

/** The place of a field of the form, from 1, and the path of one of its conditions. */
interface At {
  place: number;
  path: string;
}

function conditionWarnings(
  condition: CheckoutConditionRecord,
  { place, path }: At,
  byId: ReadonlyMap<string, CheckoutFieldRecord>,
): Sentence[] {
  const { dependsOn, value = '' } = condition;
  const field = byId.get(dependsOn);
  if (!field) return [warning(`${path}.dependsOn names no field: it counts as empty`, 'no_field', { place })];
  if (canHold(condition, field)) return [];
  const text = `${path} can never hold: ${JSON.stringify(value)} is no answer that ${dependsOn} takes`;
  return [warning(text, 'never_holds', { place })];
}

/** Whether some answer to the field meets the condition, which compares as checkout-rules.ts does. */
function canHold({ operator, value = '' }: CheckoutConditionRecord, field: CheckoutFieldRecord): boolean {
  const answers = answersTo(field);
  const text = value.trim();
  if (operator === 'equals') {
    if (answers) return text === '' || answers.includes(text);
    return text === '' || formatProblem(field.type, text, null) === null;
  }
  if (operator === 'contains')
    return !answers || ['', ...answers].some((answer) => caseFold(answer).includes(caseFold(text)));
  return operator !== 'is_not_empty' || answers?.length !== 0;
}

/** All answers to a field that are not empty, if they are known. */
function answersTo({ type, options }: CheckoutFieldRecord): string[] | null {
  if (!collectsValue(type)) return [];
  if (type === 'checkbox' || type === 'bonus_toggle') return ['true', 'false'];
  const choices = type === 'select' ? selectOptions(options) : [];
  return choices.length > 0 ? choices : null;
}

function priceWarnings(
  { action, priceAdjustment }: CheckoutConditionRecord,
  { place, path: of }: At,
  currency: string,
): Sentence[] {
  const operator = OPERATOR_OF[action];
  if (!operator) return [];
  const path = `${of}.priceAdjustment`;
  if (!priceAdjustment)
    return [warning(`${path} is missing: ${action} does nothing without it`, 'no_adjustment', { place })];
  const counted = Math.abs(priceAdjustment.value);
  const contradicting = `${path}.operator contradicts ${action}: the action decides`;
  const negative = `${path}.value is below 0: the action decides, ${counted} counts`;
  return [
    ...(priceAdjustment.operator === operator ? [] : [warning(contradicting, 'contradiction', { place })]),
    ...(priceAdjustment.value < 0 ? [warning(negative, 'negative', { place, counted })] : []),
    ...finerWarning(`${path}.value`, counted, { decimals: currencyExponent(currency), currency }, place),
  ];
}
