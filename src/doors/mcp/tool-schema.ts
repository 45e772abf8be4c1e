import { type DtoClass, type JsonSchema } from '../../platform/schema/field-spec.js';
import { rules } from '../../platform/schema/rules.js';
import { objectSchema, SAFE_BOUNDS, type SchemaParts } from '../../platform/schema/json/json-schema.js';

/**
 * Longer descriptions are for people. Short ones, like "Default true." and "Major units.", are worth their
 * tokens on every turn.
 */
const MAX_FIELD_DESCRIPTION = 24;
/** The server's instructions describe these once for all tools. */
const DESCRIBED_ONCE = ['take', 'cursor'];
/** No real value comes near this. */
const BEYOND_ANY_SHOP = 2_147_483_647;

const PARTS: SchemaParts = {
  nested: toolSchema,
  limits: false,
  describe: ({ name, hint, description = '' }) => {
    if (DESCRIBED_ONCE.includes(name)) return undefined;
    const said = hint ?? (description.length <= MAX_FIELD_DESCRIPTION ? description : '');
    return said === '' ? undefined : said;
  },
};

/**
 * The canonical schema of a DTO class in a form that every model vendor and client accepts:
 * - no anyOf, oneOf or allOf at the root, since several clients drop such a tool, or the whole list: a rule
 *   over several fields is a sentence of the object's `description`;
 * - no minProperties and maxProperties, and no format but dates, which OpenAI's strict mode refuses;
 * - no boolean and no empty enum, and no exclusiveMinimum, which Gemini's `parameters` refuse. Limits that a
 *   model would not exceed anyway are left out: empty strings, very large integers, and bounds that the
 *   specification does not name. The schema never refuses what the DTO accepts.
 */
export function toolSchema(type: DtoClass): JsonSchema {
  const { properties, ...object } = objectSchema(type, PARTS);
  const sentences = rules(type).map(({ description }) => description);
  return {
    ...object,
    ...(sentences.length > 0 ? { description: sentences.join(' ') } : {}),
    properties: Object.fromEntries(
      Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => [
        name,
        portable(schema),
      ]),
    ),
  };
}

function portable(schema: JsonSchema): JsonSchema {
  const {
    minLength,
    minimum,
    maximum,
    pattern,
    format,
    enum: values,
    anyOf,
    items,
    exclusiveMinimum: _,
    ...rest
  } = schema;
  // An object with free keys. The usual keys are for people.
  if (rest.additionalProperties === true)
    return { type: 'object', ...(rest.description ? { description: rest.description } : {}) };
  const alternatives = anyOf as JsonSchema[] | undefined;
  // A URL or the empty string becomes a string.
  if (alternatives?.every(({ type }) => type === 'string')) return { ...rest, type: 'string' };
  const kept: [string, unknown][] = [
    ['minLength', minLength === 1 ? undefined : minLength],
    ['minimum', minimum === SAFE_BOUNDS.minimum ? undefined : minimum],
    ['maximum', Number(maximum) >= BEYOND_ANY_SHOP ? undefined : maximum],
    ['format', format === 'uri' ? undefined : format],
    ['pattern', format === 'uri' ? undefined : pattern],
    ['enum', rest.type === 'boolean' ? undefined : values],
    ['items', items && portable(items as JsonSchema)],
    ['anyOf', alternatives?.map(portable)],
  ];
  return { ...rest, ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)) };
}
