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
} from 'class-validator';
import { declare, type FieldOptions, type JsonSchema, LIMITS } from './field-spec.js';
import { isDateTime, isDay, isLongerThan, isShorterThan, isUri } from './formats.js';
import { HasCodePoints, IsAbsoluteUri, IsCalendarDay, IsInstant } from './validators.js';

// The decorators of DTO classes. Each declares a field once, for all its uses: class-validator; `accepts`,
// the quick check of every call; `explain`, which writes refusals; the JSON schema of OpenAPI and MCP; and
// `present`, which returns only declared fields. They are strict: there is no coercion, null is allowed only
// with `nullable` (docs/behaviour.md §1.2), and every string, list and object has a bound, even if the
// declaration gives none (§1.6).

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
      check: (value) =>
        typeof value === 'string' &&
        !isLongerThan(value, most) &&
        !(min && isShorterThan(value, min)) &&
        (!pattern || pattern.test(value)),
    },
    IsString(),
    min === 1 ? Length(min, most) : MaxLength(most),
    HasCodePoints(min ?? 0, most),
    ...(pattern ? [Matches(pattern)] : []),
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
  above?: 0;
}

function range({ min, max, above }: NumberOptions): {
  words: string;
  schema: JsonSchema;
  holds: (value: number) => boolean;
  validators: PropertyDecorator[];
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
    validators: [
      ...(min === undefined ? [] : [Min(min)]),
      ...(max === undefined ? [] : [Max(max)]),
      ...(above === undefined ? [] : [IsPositive()]),
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
      check: (value) => typeof value === 'number' && Number.isSafeInteger(value) && bounds.holds(value),
    },
    IsInt(),
    Min(schema.minimum ?? Number.MIN_SAFE_INTEGER),
    Max(schema.maximum ?? Number.MAX_SAFE_INTEGER),
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
      check: (value) => typeof value === 'number' && Number.isFinite(value) && bounds.holds(value),
    },
    IsNumber(),
    ...bounds.validators,
  );
}

export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return declare(
    {
      ...options,
      schema: { type: 'boolean' },
      expectation: 'must be true or false',
      check: (value) => typeof value === 'boolean',
    },
    IsBoolean(),
  );
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
      hint: optional ? 'true, or absent.' : 'Must be true.',
      schema: { type: 'boolean', enum: [true] },
      expectation: 'must be true, to confirm what cannot be undone',
      check: (value) => value === true,
    },
    Equals(true),
  );
}

export function OneOf(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return declare(
    {
      ...options,
      schema: { type: 'string', enum: [...values] },
      expectation: `must be one of ${values.join(', ')}`,
      check: (value) => typeof value === 'string' && values.includes(value),
    },
    IsIn(values),
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
      check: (value) =>
        typeof value === 'string' &&
        ((orEmpty && value === '') || (!isLongerThan(value, LIMITS.url) && isUri(value, protocols))),
    },
    IsString(),
    MaxLength(LIMITS.url),
    HasCodePoints(0, LIMITS.url),
    IsAbsoluteUri(protocols, { orEmpty }),
  );
}

/** An RFC 3339 date-time with an offset. */
export function DateTime(options: FieldOptions = {}): PropertyDecorator {
  return declare(
    {
      ...options,
      schema: { type: 'string', format: 'date-time' },
      expectation: 'must be a date-time with an offset, such as 2026-01-31T12:00:00Z',
      check: (value) => typeof value === 'string' && isDateTime(value),
    },
    IsRFC3339(),
    IsInstant(),
  );
}

/** A calendar day, YYYY-MM-DD. */
export function Day(options: FieldOptions = {}): PropertyDecorator {
  return declare(
    {
      ...options,
      schema: { type: 'string', format: 'date' },
      expectation: 'must be a real day as YYYY-MM-DD',
      check: (value) => typeof value === 'string' && isDay(value),
    },
    IsString(),
    IsCalendarDay(),
  );
}
