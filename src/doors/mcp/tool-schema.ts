import { type DtoClass, fields, type JsonSchema, rules } from '../../platform/schema/fields.js';
import { objectSchema, SAFE_BOUNDS, type SchemaParts } from '../../platform/schema/json-schema.js';

/** Longer ones explain to people; "Default true." and "Major units." are worth the tokens a model pays for them on every turn. */
const MAX_FIELD_DESCRIPTION = 24;
/** The server's instructions tell of these once for all tools. */
const TOLD_ONCE = ['take', 'cursor', 'confirm'];
/** No caller comes near this by honest means. */
const BEYOND_ANY_SHOP = 2_147_483_647;

const PARTS: SchemaParts = {
  nested: toolSchema,
  limits: false,
  describe: ({ name, description = '' }) =>
    description !== '' && description.length <= MAX_FIELD_DESCRIPTION && !TOLD_ONCE.includes(name) ? description : undefined,
};

/**
 * The canonical schema of a DTO class as models and their clients can take it. Several clients drop a tool, or the whole list,
 * whose input schema has anyOf, oneOf or allOf at its root, so a rule over several fields becomes minProperties and maxProperties
 * where these say exactly the same, and a sentence of the object's `description` where they do not. What a model would not try
 * anyway is not told: empty strings, integers beyond any shop's, bounds the specification does not name, URLs against a pattern.
 * It never refuses what the DTO accepts.
 */
export function toolSchema(type: DtoClass): JsonSchema {
  const { properties, ...object } = objectSchema(type, PARTS);
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
  const alternatives = (anyOf ?? oneOf) as { required?: string[] }[] | undefined;
  if (!alternatives?.every(({ required }) => required?.length === 1)) return null;
  const named = new Set(alternatives.map(({ required }) => required![0]));
  const specs = fields(type);
  if (!specs.every(({ name, optional }) => named.has(name) === (optional === true))) return null;
  const count = specs.filter(({ optional }) => !optional).length + 1;
  return oneOf ? { minProperties: count, maxProperties: count } : { minProperties: count };
}

function terse(schema: JsonSchema): JsonSchema {
  const { minLength, minimum, maximum, pattern, anyOf, items, ...rest } = schema;
  const told: [string, unknown][] = [
    ['minLength', minLength === 1 ? undefined : minLength],
    ['minimum', minimum === SAFE_BOUNDS.minimum ? undefined : minimum],
    ['maximum', Number(maximum) >= BEYOND_ANY_SHOP ? undefined : maximum],
    ['pattern', rest.format === undefined ? pattern : undefined],
    ['items', items && terse(items as JsonSchema)],
    ['anyOf', (anyOf as JsonSchema[] | undefined)?.map(terse)],
  ];
  return { ...rest, ...Object.fromEntries(told.filter(([, value]) => value !== undefined)) };
}
