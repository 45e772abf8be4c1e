import { accepts, perClass } from './compiled-checks.js';
import { explain, join, problemList, problemsOf } from './explain.js';
import {
  type DtoClass,
  expectationOf,
  fields,
  fieldsByName,
  type FieldSpec,
  InvalidItem,
} from './field-spec.js';
import { isPlainObject } from './json/parse-input.js';
import { rules } from './rules.js';
import { invalidInput } from '../errors.js';
import { below, type Sentence, sentence } from '../problems.js';
import { tidy } from '../text/keys.js';

/** Deeper input is refused before anything else reads it. */
const MAX_DEPTH = 32;

/** How many problems of an item of a bulk operation are named. */
const ITEM_PROBLEMS = 5;

/**
 * Checks a call's input against its DTO class and returns it typed. Nothing is coerced or added, but names of
 * records are tidied, and an item of a bulk operation that is not valid becomes an InvalidItem.
 * @throws OperationError invalid_input that names each bad field by its path and says what is allowed
 * (docs/behaviour.md §1.2)
 */
export function validateInput<T extends object>(type: DtoClass<T>, input: unknown): T {
  if (!isPlainObject(input)) {
    throw invalidInput('The body must be a JSON object');
  }
  tidyKeys(type, input);
  const separate = separateLists(type).filter(({ name }) => Array.isArray(input[name]));
  const others = separate.length === 0 ? input : { ...input };
  for (const { name } of separate) delete others[name];
  const unstorable = findUnstorable(others, 0);
  if (unstorable) throw invalidInput(messageOf(type, unstorable));
  if (!accepts(type, input)) throw invalidInput(explain(type, input));
  if (hasRules(type)) {
    const broken = problemList(brokenRules(type, input, ''));
    if (broken) throw invalidInput(broken);
  }
  for (const field of separate) {
    const items = input[field.name] as unknown[];
    others[field.name] = items.map((item, i) => checkedItem(field, item, `${field.name}[${i}]`));
  }
  lowerOwnIds(type, others);
  return others as T;
}

/** The fields that name records, and those with such fields in them. */
const keyedFields: (type: DtoClass) => FieldSpec[] = perClass(
  (type) =>
    fields(type).filter(({ isKey, nested }) => isKey || (nested && keyedFields(nested.type()).length > 0)),
  [],
);

/** Names are tidied before anything looks at them: bounds hold for what is stored. */
function tidyKeys(type: DtoClass, input: Record<string, unknown>): void {
  for (const { name, nested, isKey } of keyedFields(type)) {
    if (!Object.hasOwn(input, name)) continue;
    const value = input[name];
    if (isKey && typeof value === 'string') input[name] = tidy(value);
    const items: unknown[] = nested ? (Array.isArray(value) ? value : [value]) : [];
    for (const item of items) if (isPlainObject(item)) tidyKeys(nested!.type(), item);
  }
}

const ownIds = perClass((type) => fields(type).flatMap(({ isOwnId, name }) => (isOwnId ? [name] : [])));

/** UUIDs are compared, stored and audited in lower case. */
function lowerOwnIds(type: DtoClass, input: Record<string, unknown>): void {
  for (const name of ownIds(type)) {
    const id = input[name];
    if (typeof id === 'string') input[name] = id.toLowerCase();
  }
}

/** The fields with the items of a bulk operation. */
const separateLists = perClass((type) => fields(type).filter(({ separate }) => separate));

/** The item, or what is wrong with it. */
function checkedItem({ separate, nested }: FieldSpec, item: unknown, path: string): unknown {
  if (!separate!.accepts(item)) {
    const { expectation, told } = separate!;
    return new InvalidItem({
      text: `${path} ${expectation}`,
      told: { ...told, values: { ...told.values, path } },
    });
  }
  if (!nested) return item;
  const type = nested.type();
  const value = item as Record<string, unknown>;
  const unstorable = findUnstorable(value, 1);
  if (unstorable) return new InvalidItem(messageOf(type, unstorable, path));
  const problems = accepts(type, value)
    ? brokenRules(type, value, `${path}.`)
    : problemsOf(type, value, path);
  const problem = problemList(problems, ITEM_PROBLEMS);
  if (problem) return new InvalidItem(problem);
  lowerOwnIds(type, value);
  return item;
}

/** The cross-field rules that the input breaks. Classes without rules, their own or nested, are skipped. */
function* brokenRules(type: DtoClass, input: Record<string, unknown>, path: string): Generator<Sentence> {
  if (!hasRules(type)) return;
  for (const rule of rules(type)) {
    const problem = rule.check(input);
    if (problem !== null)
      yield typeof problem === 'string' ? { text: `${path}${problem}` } : below(path, problem);
  }
  for (const { name, nested, separate } of fieldsByName(type).values()) {
    const value = input[name];
    if (!nested || separate || !hasRules(nested.type()) || value === undefined || value === null) continue;
    if (!nested.list) yield* brokenRules(nested.type(), value as Record<string, unknown>, `${path}${name}.`);
    else yield* brokenItemRules(nested.type(), value as Record<string, unknown>[], `${path}${name}`);
  }
}

function* brokenItemRules(
  type: DtoClass,
  items: Record<string, unknown>[],
  path: string,
): Generator<Sentence> {
  for (const [i, item] of items.entries()) yield* brokenRules(type, item, `${path}[${i}].`);
}

const hasRules: (type: DtoClass) => boolean = perClass(
  (type) => rules(type).length > 0 || fields(type).some(({ nested }) => nested && hasRules(nested.type())),
);

const INEXACT = `must be a number within ±${Number.MAX_SAFE_INTEGER}`;

/** A value that cannot be stored, with the path of keys to it, innermost first. */
interface Unstorable {
  problem: string;
  path: string[];
}

/**
 * Finds values that must be refused anywhere in the input: PostgreSQL cannot store NUL characters or unpaired
 * surrogates, and a number beyond the exact range is no longer what the caller sent. The path is built only
 * if something is found.
 */
function findUnstorable(value: unknown, depth: number): Unstorable | null {
  if (typeof value === 'string') return isStorable(value) ? null : { problem: textProblem(value), path: [] };
  if (typeof value === 'number') {
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return isExact ? null : { problem: INEXACT, path: [] };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return { problem: `must not be nested deeper than ${MAX_DEPTH} levels`, path: [] };
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = findUnstorable(value[i], depth + 1);
      if (found) return (found.path.push(`[${i}]`), found);
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const found = findUnstorable((value as Record<string, unknown>)[key], depth + 1);
    if (found) return (found.path.push(key), found);
    if (!isStorable(key))
      return { problem: 'must not have property names with NUL or broken characters', path: [] };
  }
  return null;
}

const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed();
const textProblem = (text: string) =>
  text.includes('\u0000') ? 'must not contain NUL characters' : 'must be well-formed Unicode';

function messageOf(type: DtoClass, { problem, path }: Unstorable, start = ''): Sentence {
  const where = path.reduceRight(
    (whole, key) => (key.startsWith('[') ? `${whole}${key}` : join(whole, key)),
    start,
  );
  const field = problem === INEXACT ? fieldAt(type, [...path].reverse()) : undefined;
  // For an id that was sent as a large number, the refusal must say that a string is expected.
  const said = field && !isNumeric(field) ? expectationOf(field, undefined) : problem;
  const text = `${where.slice(0, 100).toWellFormed() || 'The body'} ${said}`;
  return problem === INEXACT ? { text } : sentence(text, 'characters', { path: where });
}

const isNumeric = ({ schema: { type } }: FieldSpec) => type === 'integer' || type === 'number';

/** The field at a path, or whose item is at the path; undefined inside an object with free keys. */
function fieldAt(type: DtoClass, [key, ...rest]: string[]): FieldSpec | undefined {
  const field = fieldsByName(type).get(key);
  const inner = rest.findIndex((next) => !next.startsWith('['));
  if (!field || inner < 0) return field;
  return field.nested && fieldAt(field.nested.type(), rest.slice(inner));
}
