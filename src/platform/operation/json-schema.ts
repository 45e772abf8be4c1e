import { type DtoClass, fields, type FieldSpec, type JsonSchema, rules } from './fields.js';

/**
 * The canonical JSON schema (2020-12) of a DTO class, with nested classes written out. Inputs are closed; a nullable value is an
 * `anyOf` with null; rules over several fields stand at the root of the object they are about.
 */
export function jsonSchema(type: DtoClass): JsonSchema {
  const specs = fields(type);
  const required = specs.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(specs.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...combine(rules(type).flatMap(({ schema }) => (schema ? [schema] : []))),
  };
}

function fieldSchema(field: FieldSpec): JsonSchema {
  const { description, nested, nullable } = field;
  const inner = nested ? jsonSchema(nested.type()) : {};
  const value: JsonSchema = nested?.list ? { ...field.schema, items: inner } : { ...field.schema, ...inner };
  const schema = nullable ? { anyOf: [value, { type: 'null' }] } : value;
  return description ? { ...schema, description } : schema;
}

function combine(schemas: JsonSchema[]): JsonSchema {
  return schemas.length > 1 ? { allOf: schemas } : (schemas[0] ?? {});
}
