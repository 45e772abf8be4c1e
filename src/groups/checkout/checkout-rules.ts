import {
  type CheckoutProblem,
  collectsValue,
  formatProblem,
  isEmptyText,
  isReadable,
  valueText,
} from './checkout-value.js';
import { GIVEN, givenText, type GivenWithOrder, problemsOfGiven } from './submitted-fields.js';
import type { CheckoutFieldType } from './checkout-value.js';

export interface CheckoutCondition {
  dependsOn: string;
  operator: 'equals' | 'not_equals' | 'contains' | 'not_contains' | 'is_empty' | 'is_not_empty';
  value?: string | null;
  action: 'show' | 'hide' | 'require' | 'optional' | 'increase_price' | 'decrease_price';
  priceAdjustment?: { operator: 'add' | 'subtract'; value: number } | null;
}

/** The properties of a stored `fields` item of update_checkout that matter for an order. */
export interface CheckoutField {
  id: string;
  label: string;
  type: CheckoutFieldType;
  required: boolean;
  defaultVisible: boolean;
  options?: string | null;
  content?: string | null;
  conditions?: CheckoutCondition[] | null;
}

/** A row of an order's `checkoutData`. */
export interface CheckoutRow {
  id: string;
  label: string;
  type: string;
  value: unknown;
}

export interface PriceAdjustment {
  fieldId: string;
  operator: 'add' | 'subtract';
  /** Major units of the store's currency, never negative. */
  value: number;
  /** The choice of a select that costs this, which the bill names. */
  choice?: string;
}

export interface CheckoutEvaluation {
  /** Ids of the fields shown. */
  visible: Set<string>;
  /** Ids of the fields that must have a value. */
  required: Set<string>;
  adjustments: PriceAdjustment[];
  problems: CheckoutProblem[];
}

interface Answer {
  row: number;
  value: unknown;
  /**
   * The value as conditions compare it, and its searched part without case. Both are kept because a form may
   * compare one answer a thousand times.
   */
  text: string;
  folded: string;
}

/**
 * The stored fields by id in stored order, the shopper's answers to them, and the ids of the fields that are
 * visible as far as known.
 */
interface Form {
  fields: ReadonlyMap<string, CheckoutField>;
  answers: ReadonlyMap<string, Answer>;
  visible: Set<string>;
  /** Conditions that were judged already: many of a form may ask the same. */
  judged: Map<string, boolean>;
}

/**
 * How much of an answer `contains` and `not_contains` search. A search may take as many steps as there are
 * characters, and a form may ask for a thousand (docs/behaviour.md §1.6).
 */
const MOST_SEARCHED = 1_000;

/** The field that asks for the way of delivery: one of this id, or whose choices cost something. */
export function deliveryField<Field extends CheckoutField>(fields: readonly Field[]): Field | undefined {
  const selects = fields.filter(({ type }) => type === 'select');
  const costs = ({ id, conditions }: Field) =>
    conditions?.some((one) => one.dependsOn === id && one.action === 'increase_price' && one.priceAdjustment);
  return selects.find(({ id }) => id === 'delivery') ?? selects.find(costs);
}

/**
 * Evaluates a shopper's answers against the stored checkout fields. The specification names only the
 * operators and actions. These rules are ours:
 *
 * - The met conditions of a field apply in order, so the last show or hide decides whether it is visible, and
 *   the last require or optional whether it is required.
 * - A hidden field is never required, its answer is ignored, and its price conditions do not apply.
 * - A dependency that is unknown, hidden or collects no value counts as empty (a checkbox as unticked). A
 *   dependency that leads back to the field in a circle counts as shown or hidden by its `defaultVisible`. So
 *   a field may depend on itself.
 * - Answers and condition values are compared as trimmed text, and a missing one as ''. `contains` ignores
 *   case, `equals` does not. A checkbox is 'true' or 'false'. A missing checkbox is 'false', and an unticked
 *   one counts as empty.
 * - increase_price adds and decrease_price subtracts the absolute value of the adjustment, whatever its own
 *   operator and sign are. Without an adjustment they do nothing.
 * - The value of a bonus_toggle is whether bonus is spent, that of a promocode_input the promocode, whether a
 *   row says so or not; a row that says otherwise is refused. Each may be given only while the form shows a
 *   field of its kind, or has none (docs/behaviour.md §6.15).
 * - Rows of unknown fields are ignored, because the owner may have changed the form while a shopper filled it
 *   in. If several stored fields have the same id, the first one is used.
 *
 * @param given without it, as in a preview, rows say the values of all fields
 */
export function evaluateCheckout(
  stored: readonly CheckoutField[],
  rows: readonly CheckoutRow[],
  given?: GivenWithOrder,
): CheckoutEvaluation {
  const fields = new Map<string, CheckoutField>();
  for (const field of stored) if (!fields.has(field.id)) fields.set(field.id, field);
  const { answers, problems } = readAnswers(fields, rows);
  const rowsOf = new Map(answers);
  for (const { id, type } of given ? fields.values() : []) {
    const name = GIVEN[type];
    if (name) answers.set(id, answerOf(-1, givenText(name, given!), type));
  }
  const form: Form = { fields, answers, visible: new Set(), judged: new Map() };
  resolveVisibility(form);
  const shown = [...fields.values()].filter(({ id }) => form.visible.has(id));
  const required = new Set(shown.filter((field) => isRequired(field, form)).map(({ id }) => id));
  return {
    visible: form.visible,
    required,
    adjustments: shown.flatMap((field) => adjustmentsOf(field, form)),
    problems: [
      ...problems,
      ...shown.flatMap((field) => problemsOf(field, form, required)),
      ...(given ? problemsOfGiven([...fields.values()], shown, rowsOf, given) : []),
    ],
  };
}

function readAnswers(fields: ReadonlyMap<string, CheckoutField>, rows: readonly CheckoutRow[]) {
  const answers = new Map<string, Answer>();
  const problems: CheckoutProblem[] = [];
  rows.forEach(({ id, value }, row) => {
    const field = fields.get(id);
    if (!field || !collectsValue(field.type)) return;
    if (answers.has(id))
      problems.push({
        path: `checkoutData[${row}].id`,
        message: `repeats the field ${JSON.stringify(id)}`,
        ...wrongAnswer(id),
      });
    else answers.set(id, answerOf(row, value, field.type));
  });
  return { answers, problems };
}

function answerOf(row: number, value: unknown, type: CheckoutFieldType): Answer {
  const text = valueText(type, value);
  return { row, value, text, folded: text.slice(0, MOST_SEARCHED).toLowerCase() };
}

function resolveVisibility(form: Form): void {
  for (const { id, defaultVisible } of form.fields.values()) if (defaultVisible) form.visible.add(id);
  for (const field of dependenciesFirst(form.fields)) {
    let shown = field.defaultVisible;
    for (const { action } of metConditions(field, form, 'show', 'hide')) shown = action === 'show';
    if (shown) form.visible.add(field.id);
    else form.visible.delete(field.id);
  }
}

/**
 * Orders the fields so that each comes after those it depends on, except in circles. It is not recursive,
 * because a chain of dependencies may be long.
 */
function dependenciesFirst(fields: ReadonlyMap<string, CheckoutField>): Set<CheckoutField> {
  const ordered = new Set<CheckoutField>();
  const opened = new Set<CheckoutField>();
  const open = [...fields.values()].reverse();
  for (let field = open.at(-1); field; field = open.at(-1)) {
    if (opened.has(field)) {
      ordered.add(field);
      open.pop();
      continue;
    }
    opened.add(field);
    for (const { dependsOn } of field.conditions ?? []) {
      const dependency = fields.get(dependsOn);
      if (dependency && !opened.has(dependency)) open.push(dependency);
    }
  }
  return ordered;
}

/**
 * The field's conditions that have one of these actions and are met. Others are not evaluated, so that each
 * is evaluated once.
 */
function metConditions(
  field: CheckoutField,
  form: Form,
  ...actions: CheckoutCondition['action'][]
): CheckoutCondition[] {
  return (field.conditions ?? []).filter(
    (condition) => actions.includes(condition.action) && isMet(condition, form),
  );
}

/** Judges each kind of condition once, as long as its dependency is visible or not. */
function isMet(condition: CheckoutCondition, form: Form): boolean {
  const { dependsOn, operator, value = null } = condition;
  const key = JSON.stringify([form.visible.has(dependsOn), dependsOn, operator, value]);
  const known = form.judged.get(key);
  if (known !== undefined) return known;
  const met = judge(condition, form);
  form.judged.set(key, met);
  return met;
}

function judge({ dependsOn, operator, value }: CheckoutCondition, form: Form): boolean {
  const type = form.fields.get(dependsOn)?.type ?? 'text';
  const answer = form.visible.has(dependsOn) ? form.answers.get(dependsOn) : undefined;
  const { text, folded } = answer ?? answerOf(0, null, type);
  const expected = valueText(type, value);
  switch (operator) {
    case 'equals':
      return text === expected;
    case 'not_equals':
      return text !== expected;
    case 'contains':
      return folded.includes(expected.toLowerCase());
    case 'not_contains':
      return !folded.includes(expected.toLowerCase());
    case 'is_empty':
      return isEmptyText(type, text);
    case 'is_not_empty':
      return !isEmptyText(type, text);
  }
}

function isRequired(field: CheckoutField, form: Form): boolean {
  if (!collectsValue(field.type)) return false;
  let required = field.required;
  for (const { action } of metConditions(field, form, 'require', 'optional')) required = action === 'require';
  return required;
}

function adjustmentsOf(field: CheckoutField, form: Form): PriceAdjustment[] {
  return metConditions(field, form, 'increase_price', 'decrease_price').flatMap(
    ({ action, priceAdjustment, dependsOn, operator: compared, value }) => {
      if (!priceAdjustment) return [];
      const operator = action === 'increase_price' ? 'add' : 'subtract';
      const isChoice = field.type === 'select' && dependsOn === field.id && compared === 'equals';
      const choice = isChoice ? valueText(field.type, value) : '';
      const adjustment = { fieldId: field.id, operator, value: Math.abs(priceAdjustment.value) } as const;
      return [choice === '' ? adjustment : { ...adjustment, choice }];
    },
  );
}

const wrongAnswer = (fieldId: string) => ({ problem: 'answer_wrong', fieldId }) as const;

const MUST: Partial<Record<CheckoutFieldType, string>> = {
  checkbox: 'must be "true"',
  bonus_toggle: 'must be above 0',
};

function pathOf({ type }: CheckoutField, answer: Answer | undefined): string {
  if (!answer) return 'checkoutData';
  return answer.row < 0 ? GIVEN[type]! : `checkoutData[${answer.row}].value`;
}

function problemsOf(field: CheckoutField, form: Form, required: ReadonlySet<string>): CheckoutProblem[] {
  const answer = form.answers.get(field.id);
  const path = pathOf(field, answer);
  if (answer && !isReadable(answer.value))
    return [{ path, message: 'must be a string, a number, true, false or null', ...wrongAnswer(field.id) }];
  const text = answer?.text ?? valueText(field.type, null);
  if (isEmptyText(field.type, text)) {
    if (!required.has(field.id)) return [];
    const must = MUST[field.type] ?? 'must have a value';
    const message = `${must} for the field ${JSON.stringify(field.id)} (${field.label})`;
    return [{ path, message, problem: 'answer_missing', fieldId: field.id, isMissing: true }];
  }
  const wrong = formatProblem(field.type, text, field.options);
  return wrong === null ? [] : [{ path, message: wrong, ...wrongAnswer(field.id) }];
}
