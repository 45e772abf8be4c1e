import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import {
  declare,
  type DtoClass,
  type FieldOptions,
  isPlainObject,
  type JsonSchema,
  LIMITS,
  MAX_OBJECT_BYTES,
} from './field-spec.js';
import { schemePattern } from './fields.js';
import { isLongerThan, isUri } from './formats.js';
import { exceedsBytes } from './json/json-size.js';
import { FitsInBytes, HasCodePoints, IsAbsoluteUri } from './validators.js';

// The decorators of fields that hold lists and objects; see fields.ts.

const EACH = { each: true };

export interface ListOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** The product's own bound, if `max` is not given. Default 100. */
  limit?: number;
  unordered?: boolean;
}

interface ItemListOptions extends ListOptions {
  /** The list has the items of a bulk operation, each of which is valid or not for itself. */
  separate?: boolean;
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
    isList: [IsArray(), ArrayMinSize(min ?? 0), ArrayMaxSize(maxItems)],
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
  const { schema, limits, maxItems, expectation, holds, isList } = listOf(
    `${kind} of at most ${itemLimit} characters`,
    options,
  );
  return declare(
    {
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
    },
    ...isList,
    IsString(EACH),
    ...(itemMin ? [MinLength(itemMin, EACH)] : []),
    MaxLength(itemLimit, EACH),
    HasCodePoints(0, itemLimit, EACH),
    ...(uri ? [IsAbsoluteUri(['http:', 'https:'], EACH)] : []),
  );
}

export function IntegerList({
  separate,
  ...options
}: ItemListOptions & { itemMin: number; itemMax: number }): PropertyDecorator {
  const { itemMin, itemMax } = options;
  const { schema, limits, maxItems, expectation, holds, isList } = listOf(
    `integers from ${itemMin} to ${itemMax}`,
    options,
  );
  const accepts = (item: unknown) =>
    Number.isSafeInteger(item) && Number(item) >= itemMin && Number(item) <= itemMax;
  return declare(
    {
      ...options,
      schema: { ...schema, items: { type: 'integer', minimum: itemMin, maximum: itemMax } },
      limits,
      maxItems,
      expectation,
      check: (value) => holds(value) && (separate === true || value.every(accepts)),
      separate: separate
        ? { accepts, expectation: `must be an integer from ${itemMin} to ${itemMax}` }
        : undefined,
    },
    ...isList,
    ...(separate ? [] : [IsInt(EACH), Min(itemMin, EACH), Max(itemMax, EACH)]),
  );
}

/** A list of values from a fixed set. */
export function OneOfList(values: readonly string[], options: ListOptions = {}): PropertyDecorator {
  const { schema, limits, maxItems, expectation, holds, isList } = listOf(`of ${values.join(', ')}`, options);
  return declare(
    {
      ...options,
      schema: { ...schema, items: { type: 'string', enum: [...values] } },
      limits,
      maxItems,
      expectation,
      check: (value) =>
        holds(value) && value.every((item) => typeof item === 'string' && values.includes(item)),
    },
    ...isList,
    IsIn(values, EACH),
  );
}

/** One object of another DTO class. */
export function Nested(type: () => DtoClass, options: FieldOptions = {}): PropertyDecorator {
  return declare(
    {
      ...options,
      schema: { type: 'object' },
      expectation: 'must be an object',
      check: isPlainObject,
      nested: { type, list: false },
    },
    IsObject(),
    ValidateNested(),
    Type(type),
  );
}

/** A list of objects of another DTO class. */
export function NestedList(
  type: () => DtoClass,
  { separate, ...options }: ItemListOptions = {},
): PropertyDecorator {
  const { holds, isList, ...list } = listOf('objects', options);
  return declare(
    {
      ...options,
      ...list,
      check: (value) => holds(value) && (separate === true || value.every(isPlainObject)),
      nested: { type, list: true },
      separate: separate ? { accepts: isPlainObject, expectation: 'must be an object' } : undefined,
    },
    ...isList,
    ...(separate ? [] : [IsObject(EACH), ValidateNested(EACH)]),
    Type(type),
  );
}

export interface FreeOptions extends FieldOptions {
  /** The usual keys, each with its schema. They are not checked. */
  known?: Record<string, JsonSchema>;
  /** The bound of its JSON; 16 KiB by default. */
  maxBytes?: number;
}

const openObject = (known?: FreeOptions['known']): JsonSchema => ({
  type: 'object',
  ...(known ? { properties: known } : {}),
  additionalProperties: true,
});

/** An object with any keys, bounded as JSON. */
export function FreeObject({
  known,
  maxBytes = MAX_OBJECT_BYTES,
  ...options
}: FreeOptions = {}): PropertyDecorator {
  return declare(
    {
      ...options,
      schema: openObject(known),
      maxBytes,
      expectation: 'must be an object',
      excess: `must be at most ${maxBytes} bytes of JSON`,
      check: (value) => isPlainObject(value) && !exceedsBytes(value, maxBytes),
    },
    IsObject(),
    FitsInBytes(maxBytes),
  );
}

/** A list of objects as they were stored. For outputs only. */
export function FreeList({ known, ...options }: FreeOptions = {}): PropertyDecorator {
  const schema = { type: 'array', items: openObject(known) };
  return declare({ ...options, schema, expectation: 'must be an array', check: Array.isArray }, IsArray());
}
