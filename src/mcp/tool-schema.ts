import { type DtoClass, fields, type JsonSchema, rules } from '../platform/operation/fields.js';
import { objectSchema, SAFE_BOUNDS } from '../platform/operation/json-schema.js';

/**
 * The canonical schema of a DTO class as models' clients can take it. Several drop a tool, or the whole list, whose input schema
 * has anyOf, oneOf or allOf at an object's root, so a rule over several fields becomes minProperties and maxProperties where
 * these say exactly the same, and a sentence of the object's `description` where they do not. What a model cannot use is left
 * out: the bounds every integer has, and patterns beside a format. It never refuses what the DTO accepts.
 */
export function toolSchema(type: DtoClass): JsonSchema {
  const { properties, ...object } = objectSchema(type, toolSchema);
  const counts: JsonSchema = {};
  const sentences: string[] = [];
  for (const rule of rules(type)) {
    const count = rule.schema && propertyCount(type, rule.schema);
    if (count) Object.assign(counts, count);
    else sentences.push(rule.description);
  }
  return {
    ...object,
    ...(sentences.length > 0 ? { description: sentences.join(' ') } : {}),
    properties: Object.fromEntries(
      Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => [name, terse(schema)]),
    ),
    ...counts,
  };
}

/** "At least (anyOf) or exactly (oneOf) one of these" as a count, which is exact when "these" are all the fields not required. */
function propertyCount(type: DtoClass, { anyOf, oneOf }: JsonSchema): JsonSchema | null {
  const alternatives = (anyOf ?? oneOf) as { required: string[] }[] | undefined;
  if (!alternatives?.every((alternative) => alternative.required?.length === 1)) return null;
  const named = new Set(alternatives.map(({ required: [name] }) => name));
  const specs = fields(type);
  const required = specs.filter(({ optional }) => !optional);
  const exact = specs.every(({ name, optional }) => named.has(name) === (optional === true));
  if (!exact) return null;
  const count = required.length + 1;
  return oneOf ? { minProperties: count, maxProperties: count } : { minProperties: count };
}

function terse(schema: JsonSchema): JsonSchema {
  const { minimum, maximum, pattern, anyOf, items, ...rest } = schema;
  return {
    ...rest,
    ...(minimum === undefined || minimum === SAFE_BOUNDS.minimum ? {} : { minimum }),
    ...(maximum === undefined || maximum === SAFE_BOUNDS.maximum ? {} : { maximum }),
    ...(pattern === undefined || rest.format !== undefined ? {} : { pattern }),
    ...(items === undefined ? {} : { items: terse(items as JsonSchema) }),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as JsonSchema[]).map(terse) }),
  };
}
