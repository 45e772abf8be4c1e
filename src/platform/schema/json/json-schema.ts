import { AnyObject, type DtoClass, fields, type FieldSpec, type JsonSchema } from '../field-spec.js';
import { MAX_TOTAL, type Paging } from '../pages/page.js';
import { rules } from '../rules.js';

/** The bounds of every integer: beyond them, numbers lose digits in JSON (docs/behaviour.md §1.2). */
export const SAFE_BOUNDS = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Options for writing a schema. */
export interface SchemaParts {
  /** Writes the schema of a nested class. */
  nested: (type: DtoClass) => JsonSchema;
  /** Whether the schema includes the product's own bounds beside the specification's. */
  limits: boolean;
  /** Whether the schema includes defaults. Descriptions tell them, too. */
  defaults?: boolean;
  describe: (field: FieldSpec) => string | undefined;
}

const describe = ({ description }: FieldSpec) => description;

/**
 * The canonical JSON schema (2020-12) of an input's DTO class. Inputs are closed. A nullable value is an
 * `anyOf` with null. Rules over several fields are at the root of their object.
 * @param nested writes the schema of a nested class: in full, or as a reference
 */
export function jsonSchema(
  type: DtoClass,
  nested: SchemaParts['nested'] = (inner) => nestedSchema(inner),
): JsonSchema {
  return withRules(type, { nested, limits: true, defaults: true, describe });
}

/**
 * The same for a class within an input, without defaults: type generators demand a field with a default if
 * its schema is a reference.
 */
export function nestedSchema(
  type: DtoClass,
  nested: SchemaParts['nested'] = (inner) => nestedSchema(inner),
): JsonSchema {
  return withRules(type, { nested, limits: true, describe });
}

/** The same for an output, without our own bounds: data that is older than a bound is returned whole. */
export function outputSchema(
  type: DtoClass,
  nested: SchemaParts['nested'] = (inner) => outputSchema(inner),
): JsonSchema {
  return withRules(type, { nested, limits: false, describe });
}

const CURSOR = { type: ['string', 'null'], description: 'The cursor of the next page; null on the last.' };
const FEED_CURSOR = {
  type: 'string',
  description: 'The cursor to go on from, never null: a page without items is the end for now.',
};

const TOTAL = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_TOTAL,
  description: 'The number of records on all pages.',
};
const TOTAL_IS_AT_LEAST = {
  type: 'boolean',
  enum: [true],
  description: 'There are more than total says. Absent if total is exact.',
};

const idsOf = (type: DtoClass) => ({
  type: 'array',
  items: fields(type).find(({ name }) => name === 'id')!.schema,
  description: 'With idsOnly, which leaves items empty: the id of each record.',
});

/** The schema of a page of such items, which are records of the class. */
export function pageSchema(items: JsonSchema, type: DtoClass, paging: Paging): JsonSchema {
  const isCounted = paging === 'counted';
  return {
    type: 'object',
    properties: {
      items: { type: 'array', items },
      ...(isCounted ? { ids: idsOf(type) } : {}),
      nextCursor: paging === 'feed' ? FEED_CURSOR : CURSOR,
      ...(isCounted ? { total: TOTAL, totalIsAtLeast: TOTAL_IS_AT_LEAST } : {}),
    },
    required: ['items', 'nextCursor', ...(isCounted ? ['total'] : [])],
    additionalProperties: false,
  };
}

function withRules(type: DtoClass, parts: SchemaParts): JsonSchema {
  return {
    ...objectSchema(type, parts),
    ...combine(rules(type).flatMap(({ schema }) => (schema ? [schema] : []))),
  };
}

/** The object of a DTO class, which is closed unless it is any object, without its rules. */
export function objectSchema(type: DtoClass, parts: SchemaParts): JsonSchema {
  const specs = fields(type);
  const required = specs.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(specs.map((field) => [field.name, fieldSchema(field, parts)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: type === AnyObject,
  };
}

function fieldSchema(field: FieldSpec, parts: SchemaParts): JsonSchema {
  const value = valueSchema(field, parts);
  const nullable = field.nullable ? { anyOf: [value, { type: 'null' }] } : value;
  const schema = parts.defaults && 'default' in field ? { ...nullable, default: field.default } : nullable;
  // The description of a nested class may already state its rules.
  const sentences = [parts.describe(field), schema.description].filter((sentence) => sentence !== undefined);
  return sentences.length > 0 ? { ...schema, description: sentences.join(' ') } : schema;
}

function valueSchema({ nested, schema, limits }: FieldSpec, parts: SchemaParts): JsonSchema {
  if (nested && !nested.list) return parts.nested(nested.type());
  const own = parts.limits ? withLimits(schema, limits) : schema;
  if (nested) return { ...own, items: parts.nested(nested.type()) };
  return schema.type === 'integer' ? { ...SAFE_BOUNDS, ...own } : own;
}

/**
 * Adds limits to a schema. The first of several alternatives is the actual value. The items of a list have
 * their own limits.
 */
function withLimits(schema: JsonSchema, limits: JsonSchema = {}): JsonSchema {
  const { anyOf, items } = schema as { anyOf?: JsonSchema[]; items?: JsonSchema };
  if (anyOf) return { ...schema, anyOf: [{ ...anyOf[0], ...limits }, ...anyOf.slice(1)] };
  return { ...schema, ...limits, ...(items ? { items: { ...items, ...(limits.items as JsonSchema) } } : {}) };
}

/**
 * Rules are always in an allOf, because type generators read an anyOf next to properties as a choice between
 * these and anything.
 */
function combine(schemas: JsonSchema[]): JsonSchema {
  return schemas.length > 0 ? { allOf: schemas } : {};
}
