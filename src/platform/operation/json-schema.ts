import { type DtoClass, fields, type FieldSpec, type JsonSchema, rules } from './fields.js';

/** What an integer may be at all: beyond it numbers lose digits on their way through JSON (docs/behaviour.md §1.2). */
export const SAFE_BOUNDS = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** How much a schema tells of what is inside it. */
export interface SchemaParts {
  /** Writes the schema of a nested class. */
  nested: (type: DtoClass) => JsonSchema;
  describe: (field: FieldSpec) => string | undefined;
}

const CANONICAL: SchemaParts = { nested: jsonSchema, describe: ({ description }) => description };

/**
 * The canonical JSON schema (2020-12) of a DTO class, with nested classes written out. Inputs are closed; a nullable value is an
 * `anyOf` with null; rules over several fields stand at the root of the object they are about.
 */
export function jsonSchema(type: DtoClass): JsonSchema {
  return { ...objectSchema(type, CANONICAL), ...combine(rules(type).flatMap(({ schema }) => (schema ? [schema] : []))) };
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
  const { nested, nullable } = field;
  const inner = nested ? parts.nested(nested.type()) : field.schema.type === 'integer' ? SAFE_BOUNDS : {};
  const value: JsonSchema = nested?.list ? { ...field.schema, items: inner } : { ...inner, ...field.schema };
  const schema = nullable ? { anyOf: [value, { type: 'null' }] } : value;
  // A nested class may have told its rules in a description of its own.
  const told = [parts.describe(field), schema.description].filter((sentence) => sentence !== undefined);
  return told.length > 0 ? { ...schema, description: told.join(' ') } : schema;
}

function combine(schemas: JsonSchema[]): JsonSchema {
  return schemas.length > 1 ? { allOf: schemas } : (schemas[0] ?? {});
}
