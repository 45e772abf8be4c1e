import {
  Equals,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsPositive,
  IsRFC3339,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  type ValidationOptions,
} from 'class-validator';
import { declare, type FieldOptions, type JsonSchema, LIMITS } from './field-spec.js';
import { tell, type Told } from '../problems.js';
import { HasCodePoints, IsAbsoluteUri, IsCalendarDay, IsInstant } from './validators.js';

// The decorators of DTO classes. Each declares a field once, for all its uses: class-validator, whose
// validators accept or refuse every input; the words of refusals; the JSON schema of OpenAPI and MCP; and
// `present`, which returns only declared fields. They are strict: there is no coercion, null is allowed only
// with `nullable` (docs/behaviour.md §1.2), and every string, list and object has a bound, even if the
// declaration gives none (§1.6). What bounds a value stands before what costs time with its length.

export interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** The product's own bound, if `max` is not given. Default 500. */
  limit?: number;
  pattern?: RegExp;
  /** The meaning of the pattern for people: "lowercase letters, digits and hyphens". */
  patternMeaning?: string;
  /** What pages are told of a refusal. Default: the bounds. */
  told?: Told;
}

/** A string. Lengths are in code points. */
export function Text(options: TextOptions = {}): PropertyDecorator {
  const { min, max, limit = LIMITS.line, pattern, patternMeaning, told } = options;
  const most = max ?? limit;
  const size = min === undefined ? ` of at most ${most} characters` : ` of ${min} to ${most} characters`;
  const form = pattern ? (patternMeaning ? ` of ${patternMeaning}` : ` that matches ${pattern.source}`) : '';
  return declare(
    {
      ...options,
      schema: {
        type: 'string',
        ...(min ? { minLength: min } : {}),
        ...(max === undefined ? {} : { maxLength: max }),
        ...(pattern ? { pattern: pattern.source } : {}),
      },
      limits: { maxLength: most },
      expectation: `must be a string${size}${form && `,${form}`}`,
      told:
        told ?? (min === undefined ? tell('too_long', { max: most }) : tell('length', { min, max: most })),
    },
    (said) => [
      IsString(said),
      HasCodePoints(min ?? 0, most, said),
      min === 1 ? Length(min, most, said) : MaxLength(most, said),
      ...(pattern ? [Matches(pattern, said)] : []),
    ],
  );
}

/** A string of several paragraphs. */
export const LongText = (options: TextOptions = {}) => Text({ limit: LIMITS.longText, ...options });

/**
 * The id of a record. Any string is allowed: an id that is not well-formed does not match any record
 * (docs/behaviour.md §1.3).
 */
export const Identifier = (options: FieldOptions & Pick<TextOptions, 'limit'> = {}) =>
  Text({ limit: LIMITS.id, ...options });

/** The words by which records are found. */
export const SearchText = (options: FieldOptions = {}) =>
  Text({ isKey: true, min: 1, max: 200, optional: true, ...options });

const SLUG = /^[a-z0-9-]+$/;
export const Slug = (options: FieldOptions = {}) =>
  Text({
    min: 1,
    max: 200,
    pattern: SLUG,
    patternMeaning: 'lowercase letters, digits and hyphens',
    told: tell('slug'),
    ...options,
  });

export interface NumberOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** The value must be greater than this. */
  above?: 0;
}

const boundsOf = ({ min, max, above }: NumberOptions) => ({ min, max, above });

function range({ min, max, above }: NumberOptions): {
  words: string;
  schema: JsonSchema;
  validators: (said: ValidationOptions) => PropertyDecorator[];
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
    validators: (said) => [
      ...(min === undefined ? [] : [Min(min, said)]),
      ...(max === undefined ? [] : [Max(max, said)]),
      ...(above === undefined ? [] : [IsPositive(said)]),
    ],
  };
}

/** An integer within ±(2^53-1), or closer bounds. 1.0 is the integer 1. */
export function Integer(options: NumberOptions = {}): PropertyDecorator {
  const bounds = range(options);
  // An integer "above 0" is written as "minimum 1", which every reader of schemas supports.
  const { exclusiveMinimum, ...others } = bounds.schema as Record<string, number | undefined>;
  const schema = exclusiveMinimum === undefined ? others : { ...others, minimum: exclusiveMinimum + 1 };
  return declare(
    {
      ...options,
      schema: { type: 'integer', ...schema },
      expectation: `must be an integer${bounds.words}`,
      told: tell('integer', boundsOf(options)),
    },
    (said) => [
      IsInt(said),
      Min(schema.minimum ?? Number.MIN_SAFE_INTEGER, said),
      Max(schema.maximum ?? Number.MAX_SAFE_INTEGER, said),
    ],
  );
}

/** A finite number. */
export function Decimal(options: NumberOptions = {}): PropertyDecorator {
  const bounds = range(options);
  return declare(
    {
      ...options,
      schema: { type: 'number', ...bounds.schema },
      expectation: `must be a number${bounds.words}`,
      told: tell('number', boundsOf(options)),
    },
    (said) => [IsNumber({}, said), ...bounds.validators(said)],
  );
}

export function Flag(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'boolean' };
  const field = { ...options, schema, expectation: 'must be true or false', told: tell('choose_one') };
  return declare(field, (said) => [IsBoolean(said)]);
}

/**
 * `confirm` of a destructive operation, which must be true. It is optional if the spec does not require it
 * but callers may send it.
 */
export function Confirm({ optional = false }: Pick<FieldOptions, 'optional'> = {}): PropertyDecorator {
  return declare(
    {
      optional,
      description: optional
        ? 'Optional; if given, it must be true.'
        : 'Must be true, because this cannot be undone.',
      hint: 'true.',
      schema: { type: 'boolean', enum: [true] },
      expectation: 'must be true, to confirm what cannot be undone',
      told: tell('required'),
    },
    (said) => [Equals(true, said)],
  );
}

export function OneOf(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return declare(
    {
      ...options,
      schema: { type: 'string', enum: [...values] },
      expectation: `must be one of ${values.join(', ')}`,
      told: tell('choose_one'),
    },
    (said) => [IsIn(values, said)],
  );
}

export interface UriOptions extends FieldOptions {
  /** Default http: and https:. */
  protocols?: string[];
  /** Whether the empty string is also allowed. */
  orEmpty?: boolean;
}

/** Schemes are case-insensitive (RFC 3986 §3.1), but patterns are not. */
export const schemePattern = (names: string[]) => `^(${names.map(inAnyCase).join('|')}):`;

const inAnyCase = (name: string) => name.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

/** An absolute URL. */
export function Uri(options: UriOptions = {}): PropertyDecorator {
  const { protocols = ['http:', 'https:'], orEmpty } = options;
  const names = protocols.map((protocol) => protocol.replace(':', ''));
  const schema: JsonSchema = { type: 'string', format: 'uri', pattern: schemePattern(names) };
  return declare(
    {
      ...options,
      schema: orEmpty ? { anyOf: [schema, { type: 'string', enum: [''] }] } : schema,
      limits: { maxLength: LIMITS.url },
      expectation:
        `must be an absolute ${names.join(', ')} URL of at most ${LIMITS.url} ` +
        `characters${orEmpty ? ', or empty' : ''}`,
      told: tell('url'),
    },
    (said) => [
      IsString(said),
      HasCodePoints(0, LIMITS.url, said),
      MaxLength(LIMITS.url, said),
      IsAbsoluteUri(protocols, { ...said, orEmpty }),
    ],
  );
}

/** An RFC 3339 date-time with an offset. */
export function DateTime(options: FieldOptions = {}): PropertyDecorator {
  return declare(
    {
      ...options,
      schema: { type: 'string', format: 'date-time' },
      expectation: 'must be a date-time with an offset, such as 2026-01-31T12:00:00Z',
      told: tell('date'),
    },
    (said) => [IsInstant(said), IsRFC3339(said)],
  );
}

/** A calendar day, YYYY-MM-DD. */
export function Day(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'string', format: 'date' };
  const field = { ...options, schema, expectation: 'must be a real day as YYYY-MM-DD', told: tell('date') };
  return declare(field, (said) => [IsString(said), IsCalendarDay(said)]);
}

/** When something was last stored that a new store is without. */
export const StoredAt = () =>
  DateTime({
    nullable: true,
    description: 'The time of the last change; null if nothing has been stored yet.',
  });
