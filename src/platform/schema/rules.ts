import { type Sentence, sentence } from '../problems.js';
import { type DtoClass, fields, type JsonSchema } from './field-spec.js';

/** A rule over several fields. `check` returns what is wrong, or null. */
export interface CrossFieldRule {
  description: string;
  check: (input: Record<string, unknown>) => string | Sentence | null;
  /** The rule as a JSON schema, if it can be expressed as one. */
  schema?: JsonSchema;
  /** Whether `schema` admits values that `check` refuses. */
  isToldInPart?: boolean;
}

const rulesOf = new WeakMap<object, CrossFieldRule[]>();

export function rules(type: DtoClass): CrossFieldRule[] {
  return rulesOf.get(type.prototype) ?? [];
}

/** Adds a rule over several fields to a DTO class. */
export function CrossField(rule: CrossFieldRule): ClassDecorator {
  return (target) => {
    rulesOf.set(target.prototype, [...(rulesOf.get(target.prototype) ?? []), rule]);
  };
}

export function AtLeastOneOf(...names: string[]): ClassDecorator {
  return CrossField(atLeastOneOf(names, `At least one of ${names.join(', ')} is required.`));
}

/** A text of blanks alone does not count as given. */
export function AtLeastOneFilled(...names: string[]): ClassDecorator {
  const isFilled = (value: unknown) => value !== undefined && !(typeof value === 'string' && isBlank(value));
  const rule = atLeastOneOf(names, `At least one of ${names.join(', ')} is required.`, isFilled);
  return CrossField({ ...rule, isToldInPart: true });
}

export const isBlank = (text: string) => text.trim() === '';

function atLeastOneOf(
  names: string[],
  description: string,
  isGiven: (value: unknown) => boolean = (value) => value !== undefined,
): CrossFieldRule {
  return {
    description,
    check: (input) =>
      names.some((name) => isGiven(input[name]))
        ? null
        : sentence(`${names[0]}: at least one of ${names.join(', ')} is required`, 'required', {
            path: names[0],
          }),
    schema: { anyOf: names.map((name) => ({ required: [name] })) },
  };
}

/** An update must change something: at least one declared field besides `id`. */
export function AtLeastOneBesidesId(): (target: DtoClass) => void {
  return (target) => {
    const others = fields(target).flatMap(({ name }) => (name === 'id' ? [] : [name]));
    CrossField(atLeastOneOf(others, 'At least one field besides id is required.'))(target);
  };
}

export function AtMostOneOf(...names: string[]): ClassDecorator {
  return CrossField({
    description: `At most one of ${names.join(', ')} may be given.`,
    check: (input) =>
      names.filter((name) => input[name] !== undefined).length <= 1
        ? null
        : `${names[0]}: at most one of ${names.join(', ')} may be given`,
  });
}

export function ExactlyOneOf(...names: string[]): ClassDecorator {
  const description = `Exactly one of ${names.join(', ')} is required.`;
  return CrossField({
    description,
    check: (input) =>
      names.filter((name) => input[name] !== undefined).length === 1
        ? null
        : `${names[0]}: exactly one of ${names.join(', ')} is required`,
    schema: { oneOf: names.map((name) => ({ required: [name] })) },
  });
}
