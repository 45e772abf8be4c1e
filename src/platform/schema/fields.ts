import 'reflect-metadata';
import { Type } from 'class-transformer';
import { getMetadataStorage, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { isDateTime, isDay, isLongerThan, isShorterThan, isUri } from './formats.js';
import { exceedsBytes } from './json/json-size.js';

/**
 * The decorators of DTO classes. Each declares a field once, for all its uses: class-validator; `accepts`,
 * the quick check of every call; `explain`, which writes refusals; the JSON schema of OpenAPI and MCP; and
 * `present`, which returns only declared fields. They are strict: there is no coercion, null is allowed only
 * with `nullable` (docs/behaviour.md §1.2), and every string, list and object has a bound, even if the
 * declaration gives none (§1.6).
 */
export interface FieldOptions {
  /** May be absent. Default false. */
  optional?: boolean;
  /** May be null. Default false. */
  nullable?: boolean;
  /** One short sentence for the generated documents, if the name does not explain the field. */
  description?: string;
  /**
   * A few words for a model instead of the description, because it pays for them on every turn. Default: a
   * short description.
   */
  hint?: string;
  /**
   * Whether the value is never written to an audit row. As a function, it decides by the object that has the
   * field.
   */
  secret?: boolean | ((owner: object) => boolean);
}

export type JsonSchema = { [keyword: string]: unknown };
export type DtoClass<T extends object = object> = new () => T;

/**
 * The product's own bounds, in characters or items, for fields without one in the specification
 * (docs/behaviour.md §1.6).
 */
const LIMITS = { id: 200, line: 500, longText: 20_000, url: 2_048, list: 100 };
/** The maximum size of an object with free keys, and of other data that is stored as it was sent. */
export const MAX_OBJECT_BYTES = 16 * 1024;

export interface FieldSpec extends FieldOptions {
  name: string;
  /** The schema of the value itself, without nullability. Nested classes are in `nested`. */
  schema: JsonSchema;
  /**
   * The product's own bounds, which are added to the schema of an input. Outputs leave them out, because
   * older rows may exceed a bound, and so do tools, because a model would never reach it.
   */
  limits?: JsonSchema;
  /** The most items of a list. */
  maxItems?: number;
  /** Whether a list is a set: neither the order of its items nor repetitions matter. */
  unordered?: boolean;
  /** The maximum size of an object with free keys. */
  maxBytes?: number;
  /** The text of a refusal: "must be …". */
  expectation: string;
  /** The text of a refusal of an object that is only too large. */
  excess?: string;
  /** Whether a value, neither undefined nor null, is allowed. Nested classes are checked through `nested`. */
  check: (value: unknown) => boolean;
  nested?: { type: () => DtoClass; list: boolean };
}

/** A rule over several fields. `check` returns what is wrong, or null. */
export interface CrossFieldRule {
  description: string;
  check: (input: Record<string, unknown>) => string | null;
  /** The rule as a JSON schema, if it can be expressed as one. */
  schema?: JsonSchema;
}

const rulesOf = new WeakMap<object, CrossFieldRule[]>();
/**
 * Filled on first use, when the class is complete, because property decorators run before class decorators.
 */
const allFieldsOf = new WeakMap<DtoClass, Map<string, FieldSpec>>();

/**
 * The fields of a DTO class, its parents' first. A child's declaration replaces its parent's of the same
 * name.
 */
export const fields = (type: DtoClass): FieldSpec[] => [...fieldsByName(type).values()];

export function fieldsByName(type: DtoClass): ReadonlyMap<string, FieldSpec> {
  let all = allFieldsOf.get(type);
  if (!all) allFieldsOf.set(type, (all = collectFields(type)));
  return all;
}

/** Reads the declarations from class-validator's metadata, the only place where they are stored. */
function collectFields(type: DtoClass): Map<string, FieldSpec> {
  const declared = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
  const chain = declared.filter(({ name }) => name === FIELD);
  // A class's own fields come first there.
  chain.sort((a, b) =>
    a.target === b.target ? 0 : (a.target as DtoClass).prototype instanceof (b.target as DtoClass) ? 1 : -1,
  );
  return new Map(
    chain.map(({ propertyName, context }) => [
      propertyName,
      { ...(context as FieldSpec), name: propertyName },
    ]),
  );
}

export function rules(type: DtoClass): CrossFieldRule[] {
  return rulesOf.get(type.prototype) ?? [];
}

/** The text of the value's refusal. */
export function expectationOf(
  { expectation, excess, nullable }: Omit<FieldSpec, 'name'>,
  value: unknown,
): string {
  if (excess !== undefined && isPlainObject(value)) return excess;
  return nullable ? `${expectation}, or null` : expectation;
}

const FIELD = 'field';

function declare(field: Omit<FieldSpec, 'name'>): PropertyDecorator {
  return (target, key) => {
    ValidateIf((_, value) => !(value === undefined && field.optional) && !(value === null && field.nullable))(
      target,
      key,
    );
    ValidateBy(
      {
        name: FIELD,
        validator: {
          validate: (value) => value !== undefined && value !== null && field.check(value),
          defaultMessage: (context) => expectationOf(field, context?.value),
        },
      },
      { context: field },
    )(target, key);
    if (!field.nested) return;
    Type(field.nested.type)(target, key);
    ValidateNested({ each: field.nested.list })(target, key);
  };
}

export interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** The product's own bound, if `max` is not given. Default 500. */
  limit?: number;
  pattern?: RegExp;
  /** The meaning of the pattern for people: "lowercase letters, digits and hyphens". */
  patternMeaning?: string;
}

/** A string. Lengths are in code points. */
export function Text(options: TextOptions = {}): PropertyDecorator {
  const { min, max, limit = LIMITS.line, pattern, patternMeaning } = options;
  const most = max ?? limit;
  const size = min === undefined ? ` of at most ${most} characters` : ` of ${min} to ${most} characters`;
  const form = pattern ? (patternMeaning ? ` of ${patternMeaning}` : ` that matches ${pattern.source}`) : '';
  return declare({
    ...options,
    schema: {
      type: 'string',
      ...(min ? { minLength: min } : {}),
      ...(max === undefined ? {} : { maxLength: max }),
      ...(pattern ? { pattern: pattern.source } : {}),
    },
    limits: { maxLength: most },
    expectation: `must be a string${size}${form && `,${form}`}`,
    check: (value) =>
      typeof value === 'string' &&
      !isLongerThan(value, most) &&
      !(min && isShorterThan(value, min)) &&
      (!pattern || pattern.test(value)),
  });
}

/** A string of several paragraphs. */
export const LongText = (options: TextOptions = {}) => Text({ limit: LIMITS.longText, ...options });

/**
 * The id of a record. Any string is allowed: an id that is not well-formed does not match any record
 * (docs/behaviour.md §1.3).
 */
export const Identifier = (options: FieldOptions & Pick<TextOptions, 'limit'> = {}) =>
  Text({ limit: LIMITS.id, ...options });

const SLUG = /^[a-z0-9-]+$/;
export const Slug = (options: FieldOptions = {}) =>
  Text({
    min: 1,
    max: 200,
    pattern: SLUG,
    patternMeaning: 'lowercase letters, digits and hyphens',
    ...options,
  });

export interface NumberOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** The value must be greater than this. */
  above?: number;
}

function range({ min, max, above }: NumberOptions): {
  words: string;
  schema: JsonSchema;
  holds: (value: number) => boolean;
} {
  const words =
    above !== undefined
      ? ` greater than ${above}${max === undefined ? '' : ` and at most ${max}`}`
      : min !== undefined && max !== undefined
        ? ` from ${min} to ${max}`
        : min !== undefined
          ? ` of at least ${min}`
          : max !== undefined
            ? ` of at most ${max}`
            : '';
  return {
    words,
    schema: {
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
      ...(above === undefined ? {} : { exclusiveMinimum: above }),
    },
    holds: (value) =>
      (min === undefined || value >= min) &&
      (max === undefined || value <= max) &&
      (above === undefined || value > above),
  };
}

/** An integer within ±(2^53-1), or closer bounds. 1.0 is the integer 1. */
export function Integer(options: NumberOptions = {}): PropertyDecorator {
  const bounds = range(options);
  // An integer "above 0" is written as "minimum 1", which every reader of schemas supports.
  const { exclusiveMinimum, ...others } = bounds.schema as { exclusiveMinimum?: number };
  const schema = exclusiveMinimum === undefined ? others : { ...others, minimum: exclusiveMinimum + 1 };
  return declare({
    ...options,
    schema: { type: 'integer', ...schema },
    expectation: `must be an integer${bounds.words}`,
    check: (value) => typeof value === 'number' && Number.isSafeInteger(value) && bounds.holds(value),
  });
}

/** A finite number. */
export function Decimal(options: NumberOptions = {}): PropertyDecorator {
  const bounds = range(options);
  return declare({
    ...options,
    schema: { type: 'number', ...bounds.schema },
    expectation: `must be a number${bounds.words}`,
    check: (value) => typeof value === 'number' && Number.isFinite(value) && bounds.holds(value),
  });
}

export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return declare({
    ...options,
    schema: { type: 'boolean' },
    expectation: 'must be true or false',
    check: (value) => typeof value === 'boolean',
  });
}

/**
 * `confirm` of a destructive operation, which must be true. It is optional if the spec does not require it
 * but callers may send it.
 */
export function Confirm({ optional = false }: Pick<FieldOptions, 'optional'> = {}): PropertyDecorator {
  return declare({
    optional,
    description: optional
      ? 'Optional; if given, it must be true.'
      : 'Must be true, because this cannot be undone.',
    hint: optional ? 'true, or absent.' : 'Must be true.',
    schema: { type: 'boolean', enum: [true] },
    expectation: 'must be true, to confirm what cannot be undone',
    check: (value) => value === true,
  });
}

export function OneOf(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return declare({
    ...options,
    schema: { type: 'string', enum: [...values] },
    expectation: `must be one of ${values.join(', ')}`,
    check: (value) => typeof value === 'string' && values.includes(value),
  });
}

/** A list of values from a fixed set. */
export function OneOfList(values: readonly string[], options: ListOptions = {}): PropertyDecorator {
  const { schema, limits, maxItems, expectation, holds } = listOf(`of ${values.join(', ')}`, options);
  return declare({
    ...options,
    schema: { ...schema, items: { type: 'string', enum: [...values] } },
    limits,
    maxItems,
    expectation,
    check: (value) =>
      holds(value) && value.every((item) => typeof item === 'string' && values.includes(item)),
  });
}

export interface UriOptions extends FieldOptions {
  /** Default http: and https:. */
  protocols?: string[];
  /** Whether the empty string is also allowed. */
  orEmpty?: boolean;
}

/** Schemes are case-insensitive (RFC 3986 §3.1), but patterns are not. */
const schemePattern = (names: string[]) =>
  `^(${names.map((name) => name.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)).join('|')}):`;

/** An absolute URL. */
export function Uri(options: UriOptions = {}): PropertyDecorator {
  const { protocols = ['http:', 'https:'], orEmpty } = options;
  const names = protocols.map((protocol) => protocol.replace(':', ''));
  const schema: JsonSchema = { type: 'string', format: 'uri', pattern: schemePattern(names) };
  return declare({
    ...options,
    schema: orEmpty ? { anyOf: [schema, { type: 'string', enum: [''] }] } : schema,
    limits: { maxLength: LIMITS.url },
    expectation: `must be an absolute ${names.join(', ')} URL of at most ${LIMITS.url} characters${orEmpty ? ', or empty' : ''}`,
    check: (value) =>
      typeof value === 'string' &&
      ((orEmpty && value === '') || (!isLongerThan(value, LIMITS.url) && isUri(value, protocols))),
  });
}

/** An RFC 3339 date-time with an offset. */
export function DateTime(options: FieldOptions = {}): PropertyDecorator {
  return declare({
    ...options,
    schema: { type: 'string', format: 'date-time' },
    expectation: 'must be a date-time with an offset, such as 2026-01-31T12:00:00Z',
    check: (value) => typeof value === 'string' && isDateTime(value),
  });
}

/** A calendar day, YYYY-MM-DD. */
export function Day(options: FieldOptions = {}): PropertyDecorator {
  return declare({
    ...options,
    schema: { type: 'string', format: 'date' },
    expectation: 'must be a real day as YYYY-MM-DD',
    check: (value) => typeof value === 'string' && isDay(value),
  });
}

export interface ListOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** The product's own bound, if `max` is not given. Default 100. */
  limit?: number;
  unordered?: boolean;
}

function listOf(item: string, { min, max, limit = LIMITS.list }: ListOptions) {
  const maxItems = max ?? limit;
  const size = min === undefined ? `of at most ${maxItems}` : `of ${min} to ${maxItems}`;
  return {
    schema: {
      type: 'array',
      ...(min ? { minItems: min } : {}),
      ...(max === undefined ? {} : { maxItems: max }),
    } as JsonSchema,
    limits: { maxItems } as JsonSchema,
    maxItems,
    expectation: `must be an array ${size} ${item}`,
    // The items are checked only after this.
    holds: (value: unknown): value is unknown[] =>
      Array.isArray(value) && (!min || value.length >= min) && value.length <= maxItems,
  };
}

/**
 * A list of strings. With `uri: true`, each is an absolute http or https URL. `itemLimit`: characters per
 * item, default 500 or 2,048.
 */
export function TextList(
  options: ListOptions & { itemMin?: number; itemLimit?: number; uri?: boolean } = {},
): PropertyDecorator {
  const { itemMin, uri, itemLimit = uri ? LIMITS.url : LIMITS.line } = options;
  const kind = uri ? 'absolute http or https URLs' : itemMin ? 'non-empty strings' : 'strings';
  const { schema, limits, maxItems, expectation, holds } = listOf(
    `${kind} of at most ${itemLimit} characters`,
    options,
  );
  return declare({
    ...options,
    schema: {
      ...schema,
      items: {
        type: 'string',
        ...(itemMin ? { minLength: itemMin } : {}),
        ...(uri ? { format: 'uri', pattern: schemePattern(['http', 'https']) } : {}),
      },
    },
    limits: { ...limits, items: { maxLength: itemLimit } },
    maxItems,
    expectation,
    check: (value) =>
      holds(value) &&
      value.every(
        (item) =>
          typeof item === 'string' &&
          item.length >= (itemMin ?? 0) &&
          !isLongerThan(item, itemLimit) &&
          (!uri || isUri(item)),
      ),
  });
}

export function IntegerList(options: ListOptions & { itemMin: number; itemMax: number }): PropertyDecorator {
  const { itemMin, itemMax } = options;
  const { schema, limits, maxItems, expectation, holds } = listOf(
    `integers from ${itemMin} to ${itemMax}`,
    options,
  );
  return declare({
    ...options,
    schema: { ...schema, items: { type: 'integer', minimum: itemMin, maximum: itemMax } },
    limits,
    maxItems,
    expectation,
    check: (value) =>
      holds(value) &&
      value.every((item) => Number.isSafeInteger(item) && Number(item) >= itemMin && Number(item) <= itemMax),
  });
}

/** A JSON object: neither null nor an array. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One object of another DTO class. */
export function Nested(type: () => DtoClass, options: FieldOptions = {}): PropertyDecorator {
  return declare({
    ...options,
    schema: { type: 'object' },
    expectation: 'must be an object',
    check: isPlainObject,
    nested: { type, list: false },
  });
}

/** A list of objects of another DTO class. */
export function NestedList(type: () => DtoClass, options: ListOptions = {}): PropertyDecorator {
  const { holds, ...list } = listOf('objects', options);
  return declare({
    ...options,
    ...list,
    check: (value) => holds(value) && value.every(isPlainObject),
    nested: { type, list: true },
  });
}

export interface FreeOptions extends FieldOptions {
  /** The usual keys, each with its schema. They are not checked. */
  known?: Record<string, JsonSchema>;
}

const openObject = (known?: FreeOptions['known']): JsonSchema => ({
  type: 'object',
  ...(known ? { properties: known } : {}),
  additionalProperties: true,
});

/** An object with any keys, at most 16 KiB as JSON. */
export function FreeObject({ known, ...options }: FreeOptions = {}): PropertyDecorator {
  const maxBytes = MAX_OBJECT_BYTES;
  return declare({
    ...options,
    schema: openObject(known),
    maxBytes,
    expectation: 'must be an object',
    excess: `must be at most ${maxBytes} bytes of JSON`,
    check: (value) => isPlainObject(value) && !exceedsBytes(value, maxBytes),
  });
}

/** A list of objects as they were stored. For outputs only. */
export function FreeList({ known, ...options }: FreeOptions = {}): PropertyDecorator {
  const schema = { type: 'array', items: openObject(known) };
  return declare({ ...options, schema, expectation: 'must be an array', check: Array.isArray });
}

/** Adds a rule over several fields to a DTO class. */
export function CrossField(rule: CrossFieldRule): ClassDecorator {
  return (target) => {
    rulesOf.set(target.prototype, [...(rulesOf.get(target.prototype) ?? []), rule]);
  };
}

export function AtLeastOneOf(...names: string[]): ClassDecorator {
  const description = `At least one of ${names.join(', ')} is required.`;
  return CrossField({
    description,
    check: (input) =>
      names.some((name) => input[name] !== undefined)
        ? null
        : `${names[0]}: at least one of ${names.join(', ')} is required`,
    schema: { anyOf: names.map((name) => ({ required: [name] })) },
  });
}

/** An update must change something: at least one declared field besides `id`. */
export function AtLeastOneBesidesId(): ClassDecorator {
  return (target) => {
    const others = fields(target as unknown as DtoClass).flatMap(({ name }) => (name === 'id' ? [] : [name]));
    AtLeastOneOf(...others)(target);
  };
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
