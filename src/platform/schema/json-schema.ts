import { type DtoClass, fields, type FieldSpec, type JsonSchema, rules } from './fields.js';

/** What an integer may be at all: beyond it numbers lose digits on their way through JSON (docs/behaviour.md §1.2). */
export const SAFE_BOUNDS = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** How a schema is written. */
export interface SchemaParts {
  /** Writes the schema of a nested class. */
  nested: (type: DtoClass) => JsonSchema;
  /** Whether it includes the product's own bounds, besides those of the specification. */
  limits: boolean;
  describe: (field: FieldSpec) => string | undefined;
}

const describe = ({ description }: FieldSpec) => description;

/**
 * The canonical JSON schema (2020-12) of an input's DTO class. Inputs are closed; a nullable value is an `anyOf` with null; rules
 * over several fields stand at the root of the object they are about.
 * @param nested writes the schema of a nested class: in full, or as a reference
 */
export function jsonSchema(type: DtoClass, nested: SchemaParts['nested'] = (inner) => jsonSchema(inner)): JsonSchema {
  return withRules(type, { nested, limits: true, describe });
}

/** The same for an output: what was stored before a bound existed is returned whole, so none of ours is promised. */
export function outputSchema(type: DtoClass, nested: SchemaParts['nested'] = (inner) => outputSchema(inner)): JsonSchema {
  return withRules(type, { nested, limits: false, describe });
}

function withRules(type: DtoClass, parts: SchemaParts): JsonSchema {
  return { ...objectSchema(type, parts), ...combine(rules(type).flatMap(({ schema }) => (schema ? [schema] : []))) };
}

/** The closed object of a DTO class, without its rules. */
export function objectSchema(type: DtoClass, parts: SchemaParts): JsonSchema {
  const specs = fields(type);
  const required = specs.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(specs.map((field) => [field.name, fieldSchema(field, parts)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function fieldSchema(field: FieldSpec, parts: SchemaParts): JsonSchema {
  const value = valueSchema(field, parts);
  const schema = field.nullable ? { anyOf: [value, { type: 'null' }] } : value;
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

/** Of alternatives the first is the value proper; of a list each item has the limits of its own. */
function withLimits(schema: JsonSchema, limits: JsonSchema = {}): JsonSchema {
  const { anyOf, items } = schema as { anyOf?: JsonSchema[]; items?: JsonSchema };
  if (anyOf) return { ...schema, anyOf: [{ ...anyOf[0], ...limits }, ...anyOf.slice(1)] };
  return { ...schema, ...limits, ...(items ? { items: { ...items, ...(limits.items as JsonSchema) } } : {}) };
}

/** Always in an allOf: generators of types read an anyOf beside properties as a choice between them and anything at all. */
function combine(schemas: JsonSchema[]): JsonSchema {
  return schemas.length > 0 ? { allOf: schemas } : {};
}
