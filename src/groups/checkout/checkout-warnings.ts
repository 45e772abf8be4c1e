import { currencyExponent } from '../../platform/money.js';
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
): string[] {
  const kept = new Set(after.map(({ id }) => id));
  const removed = [...new Set(before.map(({ id }) => id))].filter((id) => !kept.has(id));
  return removed.length === 0 ? [] : [`${list} no longer has ${removed.join(', ')}: the list replaces all`];
}

/** Warns about parts of a form that make no sense, each with its path. */
export function checkoutWarnings(fields: readonly CheckoutFieldRecord[], currency: string): string[] {
  const byId = new Map([...fields].reverse().map((field) => [field.id, field]));
  const seen = new Set<string>();
  return fields.flatMap(({ id, conditions = [] }, i) => {
    const repeated = seen.has(id)
      ? [`fields[${i}].id is the id of another field too: the first one counts`]
      : [];
    seen.add(id);
    return [
      ...repeated,
      ...conditions.flatMap((condition, j) => {
        const path = `fields[${i}].conditions[${j}]`;
        return [...conditionWarnings(condition, path, byId), ...priceWarnings(condition, path, currency)];
      }),
    ];
  });
}

function conditionWarnings(
  condition: CheckoutConditionRecord,
  path: string,
  byId: ReadonlyMap<string, CheckoutFieldRecord>,
): string[] {
  const { dependsOn, value = '' } = condition;
  const field = byId.get(dependsOn);
  if (!field) return [`${path}.dependsOn names no field: it counts as empty`];
  if (canHold(condition, field)) return [];
  return [`${path} can never hold: ${JSON.stringify(value)} is no answer that ${dependsOn} takes`];
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
  path: string,
  currency: string,
): string[] {
  const operator = OPERATOR_OF[action];
  if (!operator) return [];
  if (!priceAdjustment) return [`${path}.priceAdjustment is missing: ${action} does nothing without it`];
  const value = Math.abs(priceAdjustment.value);
  return [
    ...(priceAdjustment.operator === operator
      ? []
      : [`${path}.priceAdjustment.operator contradicts ${action}: the action decides`]),
    ...(priceAdjustment.value < 0
      ? [`${path}.priceAdjustment.value is below 0: the action decides, ${value} counts`]
      : []),
    ...finerWarning(`${path}.priceAdjustment.value`, value, currencyExponent(currency), currency),
  ];
}
