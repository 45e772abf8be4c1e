import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  isInt,
  IsObject,
  IsString,
  Max,
  max,
  MaxLength,
  Min,
  min,
  MinLength,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import {
  declare,
  type DtoClass,
  type FieldOptions,
  type JsonSchema,
  LIMITS,
  MAX_OBJECT_BYTES,
} from './field-spec.js';
import { isPlainObject } from './json/parse-input.js';
import { sentence, tell } from '../problems.js';
import { schemePattern } from './fields.js';
import { FitsInBytes, HasCodePoints, IsAbsoluteUri } from './validators.js';

// The decorators of fields that hold lists and objects; see fields.ts.

const OBJECT = { expectation: 'must be an object', told: tell('required') };

const ofEach = (said: ValidationOptions): ValidationOptions => ({ ...said, each: true });

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
    told: tell('list', { min, max: maxItems }),
    /** Stands before what looks at the items. */
    isList: (said: ValidationOptions) => [
      IsArray(said),
      ArrayMinSize(min ?? 0, said),
      ArrayMaxSize(maxItems, said),
    ],
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
  const { schema, limits, maxItems, expectation, isList } = listOf(
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
      told: uri ? tell('url') : tell('list', { min: options.min, max: maxItems, characters: itemLimit }),
    },
    (said) => [
      ...isList(said),
      IsString(ofEach(said)),
      HasCodePoints(0, itemLimit, ofEach(said)),
      MaxLength(itemLimit, ofEach(said)),
      ...(itemMin ? [MinLength(itemMin, ofEach(said))] : []),
      ...(uri ? [IsAbsoluteUri(['http:', 'https:'], ofEach(said))] : []),
    ],
  );
}

export function IntegerList({
  separate,
  ...options
}: ItemListOptions & { itemMin: number; itemMax: number }): PropertyDecorator {
  const { itemMin, itemMax } = options;
  const { schema, limits, maxItems, expectation, told, isList } = listOf(
    `integers from ${itemMin} to ${itemMax}`,
    options,
  );
  const accepts = (item: unknown) => isInt(item) && min(item, itemMin) && max(item, itemMax);
  return declare(
    {
      ...options,
      schema: { ...schema, items: { type: 'integer', minimum: itemMin, maximum: itemMax } },
      limits,
      maxItems,
      expectation,
      told,
      separate: separate
        ? {
            accepts,
            expectation: `must be an integer from ${itemMin} to ${itemMax}`,
            told: tell('integer', { min: itemMin, max: itemMax }),
          }
        : undefined,
    },
    (said) => [
      ...isList(said),
      ...(separate ? [] : [IsInt(ofEach(said)), Min(itemMin, ofEach(said)), Max(itemMax, ofEach(said))]),
    ],
  );
}

/** A list of values from a fixed set. */
export function OneOfList(values: readonly string[], options: ListOptions = {}): PropertyDecorator {
  const { schema, limits, maxItems, expectation, told, isList } = listOf(`of ${values.join(', ')}`, options);
  return declare(
    {
      ...options,
      schema: { ...schema, items: { type: 'string', enum: [...values] } },
      limits,
      maxItems,
      expectation,
      told,
    },
    (said) => [...isList(said), IsIn(values, ofEach(said))],
  );
}

/** One object of another DTO class. */
export function Nested(type: () => DtoClass, options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'object' };
  return declare({ ...options, schema, ...OBJECT, nested: { list: false } }, (said) => [
    IsObject(said),
    ValidateNested(said),
    Type(type),
  ]);
}

/** A list of objects of another DTO class. */
export function NestedList(
  type: () => DtoClass,
  { separate, ...options }: ItemListOptions = {},
): PropertyDecorator {
  const { isList, ...list } = listOf('objects', options);
  return declare(
    {
      ...options,
      ...list,
      nested: { list: true },
      separate: separate ? { accepts: isPlainObject, ...OBJECT } : undefined,
    },
    (said) => [
      ...isList(said),
      ...(separate ? [] : [IsObject(ofEach(said)), ValidateNested(ofEach(said))]),
      Type(type),
    ],
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
      ...OBJECT,
      excess: (value) =>
        isPlainObject(value)
          ? sentence(`must be at most ${maxBytes} bytes of JSON`, 'bytes_most', { most: maxBytes })
          : undefined,
    },
    (said) => [IsObject(said), FitsInBytes(maxBytes, said)],
  );
}

/** A list of objects as they were stored. For outputs only. */
export function FreeList({ known, ...options }: FreeOptions = {}): PropertyDecorator {
  const schema = { type: 'array', items: openObject(known) };
  const told = tell('characters');
  return declare({ ...options, schema, expectation: 'must be an array', told }, (said) => [IsArray(said)]);
}
