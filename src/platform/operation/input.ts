import { validateSync, type ValidationError } from 'class-validator';
import { type DtoClass, type FieldSpec, fields, isPlainObject, rules } from './fields.js';
import { invalidInput } from './operation-error.js';

/** Deeper input is refused before anything walks it. */
const MAX_DEPTH = 32;
/** More problems than this are not listed; no operation has as many fields. */
const MAX_PROBLEMS = 50;

type Check = (value: Record<string, unknown>) => boolean;
const checks = new Map<DtoClass, Check>();

/**
 * Checks a call's input against its DTO class and returns it typed; nothing is coerced or added.
 * @throws OperationError invalid_input that names each bad field by its path and says what is allowed (docs/behaviour.md §1.2)
 */
export function validateInput<T extends object>(type: DtoClass<T>, input: unknown): T {
  if (!isPlainObject(input)) {
    throw invalidInput('The body must be a JSON object');
  }
  const unstorable = findUnstorable(input, '', 0);
  if (unstorable) throw invalidInput(unstorable);
  if (!accepts(type, input as Record<string, unknown>)) throw invalidInput(explain(type, input as Record<string, unknown>));
  const broken = brokenRules(type, input as Record<string, unknown>, '');
  if (broken.length > 0) throw invalidInput(broken.join('; '));
  return input as T;
}

/** Whether every field fits and no property is unknown, at every depth. Cross-field rules are checked apart. */
export function accepts(type: DtoClass, input: Record<string, unknown>): boolean {
  let check = checks.get(type);
  if (!check) checks.set(type, (check = compile(type)));
  return check(input);
}

function compile(type: DtoClass): Check {
  const specs = fields(type);
  const known = new Set(specs.map((field) => field.name));
  const fieldChecks = specs.map((field) => {
    const { name, check, nested, optional, nullable } = field;
    return (input: Record<string, unknown>) => {
      const value = Object.hasOwn(input, name) ? input[name] : undefined;
      if (value === undefined) return optional === true;
      if (value === null) return nullable === true;
      if (!check(value)) return false;
      if (!nested) return true;
      const inner = nested.type();
      return nested.list
        ? (value as Record<string, unknown>[]).every((item) => accepts(inner, item))
        : accepts(inner, value as Record<string, unknown>);
    };
  });
  return (input) => {
    for (const key of Object.keys(input)) if (!known.has(key)) return false;
    for (const check of fieldChecks) if (!check(input)) return false;
    return true;
  };
}

function brokenRules(type: DtoClass, input: Record<string, unknown>, path: string): string[] {
  const broken = rules(type).flatMap((rule) => {
    const problem = rule.check(input);
    return problem === null ? [] : [`${path}${problem}`];
  });
  return fields(type).reduce((all, { name, nested }) => {
    const value = input[name];
    if (!nested || value === undefined || value === null) return all;
    if (!nested.list) return all.concat(brokenRules(nested.type(), value as Record<string, unknown>, `${path}${name}.`));
    const items = value as Record<string, unknown>[];
    return all.concat(items.flatMap((item, i) => brokenRules(nested.type(), item, `${path}${name}[${i}].`)));
  }, broken);
}

function explain(type: DtoClass, input: Record<string, unknown>): string {
  const errors = validateSync(instanceOf(type, input), { forbidUnknownValues: false });
  const problems = [...unknownProperties(type, input, ''), ...errors.flatMap((error) => messages(error, '', input))];
  if (problems.length === 0) problems.push('The body does not match the operation');
  const shown = problems.slice(0, MAX_PROBLEMS);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  return shown.join('; ');
}

/**
 * class-validator looks at instances. Only what DTO classes declare becomes one: class-transformer would walk free objects too,
 * and break on a key such as "constructor".
 */
function instanceOf<T extends object>(type: DtoClass<T>, value: object): T {
  const instance = Object.create(type.prototype as object) as Record<string, unknown>;
  for (const { name, nested } of fields(type)) {
    if (!Object.hasOwn(value, name)) continue;
    const inner = (value as Record<string, unknown>)[name];
    const nest = (item: unknown) => (isPlainObject(item) ? instanceOf(nested!.type(), item) : item);
    instance[name] = !nested ? inner : Array.isArray(inner) ? inner.map(nest) : nest(inner);
  }
  return instance as T;
}

function messages(error: ValidationError, path: string, parent: unknown): string[] {
  const here = /^\d+$/.test(error.property) && Array.isArray(parent) ? `${path}[${error.property}]` : join(path, error.property);
  const value = (parent as Record<string, unknown> | undefined)?.[error.property];
  // Without an expectation of ours it is an item of a list of objects.
  const expectation = error.constraints && (error.constraints.expectation ?? 'must be an object');
  const own = expectation ? [`${here} ${value === undefined ? 'is required and ' : ''}${expectation}`] : [];
  // What is wrong inside says nothing where the whole is of another kind.
  if (expectation && !Array.isArray(value)) return own;
  return [...own, ...(error.children ?? []).flatMap((child) => messages(child, here, value))];
}

function unknownProperties(type: DtoClass, input: unknown, path: string): string[] {
  if (!isPlainObject(input)) return [];
  const specs = new Map<string, FieldSpec>(fields(type).map((field) => [field.name, field]));
  return Object.entries(input).flatMap(([key, value]) => {
    const field = specs.get(key);
    if (!field) {
      const allowed = specs.size === 0 ? 'this takes none' : `allowed are ${[...specs.keys()].join(', ')}`;
      return [`${join(path, key.slice(0, 100))} is not a known property: ${allowed}`];
    }
    if (!field.nested) return [];
    const inner = field.nested.type();
    if (!field.nested.list) return unknownProperties(inner, value, join(path, key));
    return Array.isArray(value) ? value.flatMap((item, i) => unknownProperties(inner, item, `${join(path, key)}[${i}]`)) : [];
  });
}

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);

/**
 * PostgreSQL can store neither NUL characters nor halves of a surrogate pair, wherever in the input they are; and a number that
 * reading has changed already is not what the caller sent.
 */
function findUnstorable(value: unknown, path: string, depth: number): string | null {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) return `${path} must not contain NUL characters`;
    return value.isWellFormed() ? null : `${path} must be well-formed Unicode`;
  }
  if (typeof value === 'number') {
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return isExact ? null : `${path} must be a number within ±${Number.MAX_SAFE_INTEGER}`;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return `${path.slice(0, 100)} must not be nested deeper than ${MAX_DEPTH} levels`;
  for (const key of Object.keys(value)) {
    const here = Array.isArray(value) ? `${path}[${key}]` : join(path, key);
    const found =
      findUnstorable((value as Record<string, unknown>)[key], here, depth + 1) ??
      (key.includes('\u0000') || !key.isWellFormed()
        ? `${path || 'The body'} must not have property names with NUL or broken characters`
        : null);
    if (found) return found;
  }
  return null;
}
