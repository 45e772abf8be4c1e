import { ownValue, problemOf } from './compiled-checks.js';
import { type Sentence, sentence, type Told } from '../problems.js';
import { type DtoClass, type FieldSpec, fieldsByName, toldOf } from './field-spec.js';
import { MANY_UNKNOWN, unknownLeftOut, isPlainObject } from './json/parse-input.js';

/** The most problems that a refusal names. No operation has as many fields (docs/behaviour.md §1.6). */
const MAX_PROBLEMS = 50;
/** How many unknown properties of an object are named. The others are counted. */
const NAMED_UNKNOWN = 10;

type Input = Record<string, unknown>;

/**
 * Joins problems to the message of a refusal. Stops after `most` without computing further ones.
 * @returns null if there are none
 */
export function problemList(problems: Iterable<Sentence>, most = MAX_PROBLEMS): Sentence | null {
  const texts: string[] = [];
  const told: Told[] = [];
  for (const problem of problems) {
    if (texts.length === most) {
      texts.push('and more');
      break;
    }
    texts.push(problem.text);
    if (problem.told) told.push(problem.told);
  }
  if (texts.length === 0) return null;
  const text = texts.join('; ');
  return told.length > 1 ? sentence(text, 'several', { problems: told }) : { text, told: told[0] };
}

/**
 * Why an input does not match its DTO class: the path of each bad field, and what is allowed there
 * (docs/behaviour.md §1.2).
 */
export function explain(type: DtoClass, input: Input): Sentence {
  return problemList(problemsOf(type, input, '')) ?? { text: 'The body does not match the operation' };
}

/** @param path the path of the input */
export function* problemsOf(type: DtoClass, input: Input, path: string): Generator<Sentence> {
  for (const text of unknownProperties(type, input, path)) yield { text };
  const others = unknownLeftOut(input);
  // After very many unknown properties the rest was not read, so a required field may be missing only for
  // that reason.
  const isWhole = others < MANY_UNKNOWN;
  if (others > 0)
    yield { text: `The body has ${isWhole ? others : `over ${MANY_UNKNOWN}`} more unknown properties` };
  yield* badFields(type, input, path, isWhole);
}

function* unknownProperties(type: DtoClass, input: Input, path: string): Generator<string> {
  const known = fieldsByName(type);
  const unknown = Object.keys(input).filter((key) => !known.has(key));
  const allowed = known.size === 0 ? 'this takes none' : `allowed are ${[...known.keys()].join(', ')}`;
  for (const key of unknown.slice(0, NAMED_UNKNOWN)) {
    yield `${join(path, key.slice(0, 100).toWellFormed())} is not a known property: ${allowed}`;
  }
  const others = unknown.length - NAMED_UNKNOWN;
  if (others > 0) yield `${path || 'The body'} has ${others} more unknown properties`;
  for (const field of known.values()) {
    for (const [here, inner] of nestedObjects(field, input, path))
      yield* unknownProperties(field.nested!.type(), inner, here);
  }
}

function* badFields(type: DtoClass, input: Input, path: string, isWhole: boolean): Generator<Sentence> {
  for (const field of fieldsByName(type).values()) {
    const value = ownValue(input, field.name);
    if (value === undefined && !isWhole) continue;
    const here = join(path, field.name);
    const text = problemOf(type, field.name, input, here);
    if (text !== undefined) yield { text, told: toldOf(field, value, here) };
    if (field.nested?.list && !field.separate) yield* badItems(field, value, here);
    for (const [there, inner] of nestedObjects(field, input, path))
      yield* badFields(field.nested!.type(), inner, there, isWhole);
  }
}

function* badItems({ maxItems }: FieldSpec, value: unknown, path: string): Generator<Sentence> {
  if (!Array.isArray(value) || value.length > maxItems!) return;
  for (const [i, item] of value.entries())
    if (!isPlainObject(item)) yield { text: `${path}[${i}] must be an object` };
}

/**
 * The objects in a field, with their paths. A list that is too long is not searched, since its length is
 * reported already.
 */
function* nestedObjects(
  { name, nested, maxItems, separate }: FieldSpec,
  input: Input,
  path: string,
): Generator<[string, Input]> {
  if (!nested || separate) return;
  const value = ownValue(input, name);
  const here = join(path, name);
  if (!nested.list) {
    if (isPlainObject(value)) yield [here, value];
  } else if (Array.isArray(value) && value.length <= maxItems!) {
    for (const [i, item] of value.entries()) if (isPlainObject(item)) yield [`${here}[${i}]`, item];
  }
}

/** The path of a property. */
export const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);
