import fc from 'fast-check';
import type { JsonSchema } from '../../src/platform/schema/field-spec.js';

/** The existing values for a field of this name, such as ids and cursors. If there are none, any will do. */
export type Known = (field: string) => readonly unknown[];

/** For JSON.stringify: a reader of a feed that waits for what does not happen is right. */
export const withoutWaiting = (name: string, value: unknown) =>
  name === 'waitSeconds' && typeof value === 'number' && value > 0 && value <= 25 ? 0 : value;

const NOTHING_KNOWN: Known = () => [];

/**
 * Plain, accented, wide (two UTF-16 units) and blank characters, and those that are difficult for quoting and
 * SQL.
 */
const CHARACTERS = [
  'a',
  'b',
  'Z',
  '0',
  '9',
  '-',
  ' ',
  '\n',
  'é',
  'ß',
  '漢',
  '😀',
  "'",
  '"',
  '\\',
  '%',
  '$',
  '<',
  '{',
  ';',
];

const URIS = [
  'https://shop.example/a',
  'http://localhost:3000/?q=1#f',
  'https://пример.example/%20',
  'http://127.0.0.1',
];
const DATE_TIMES = [
  '2026-01-31T12:00:00Z',
  '2024-02-29t23:59:59.999+14:00',
  '1999-12-31T00:00:00.5-00:30',
  '2030-06-01T00:00:00Z',
];
const DAYS = ['2026-01-31', '2024-02-29', '1999-12-31'];

/** Values that hardly any field accepts: wrong types, what looks coercible, and near misses of formats. */
const ODD: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 53),
    1e300,
    '',
    ' ',
    '5',
    'true',
    'null',
    [],
    [null],
    [1],
    ['a'],
    {},
    { a: 1 },
  ],
  ...[
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    '2026-01-31T25:00:00Z',
    '2026-01-31T12:00:00',
    '0000-01-01T00:00:00Z',
    '2026-01-31 12:00:00Z',
  ],
  ...[
    'javascript:alert(1)',
    'http://',
    'https:///a',
    '//shop.example',
    'HTTPS://shop.example',
    'https://a b',
    'tg://user?id=1',
    'ftp://a',
  ],
  ...['UPPER', 'with space', 'trailing\n', '😀'.repeat(3), "' or 1=1 --", '../../etc/passwd', '%00'],
];

const UNKNOWN_NAMES = ['unknown', 'storeId', 'ID', 'constructor', 'toString', '__proto__', ''];

/**
 * Inputs of an operation, from the canonical schema of its DTO: about a third are valid, the others have one
 * or two faults.
 */
export function inputs(schema: JsonSchema, known: Known = NOTHING_KNOWN): fc.Arbitrary<unknown> {
  const good = valueOf(schema, '', known);
  const faults = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(3)), { minLength: 1, maxLength: 2 });
  const bad = fc
    .tuple(good, faults)
    .map(([value, list]) => list.reduce((all, fault) => withFault(schema, all, fault), value));
  return fc.oneof({ weight: 1, arbitrary: good }, { weight: 2, arbitrary: bad });
}

/** Values that match the schema, including its bounds. */
export function valueOf(schema: JsonSchema, field: string, known: Known): fc.Arbitrary<unknown> {
  const values = known(field);
  const fresh = freshValue(schema, field, known);
  return values.length === 0
    ? fresh
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: fresh });
}

function freshValue(schema: JsonSchema, field: string, known: Known): fc.Arbitrary<unknown> {
  const {
    type,
    anyOf,
    minItems = 0,
    maxItems = Infinity,
  } = schema as JsonSchema & { minItems?: number; maxItems?: number };
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (type === 'object')
    return schema.properties
      ? objectOf(schema, known)
      : fc.dictionary(fc.constantFrom('a', 'keyId', 'токен'), fc.jsonValue());
  if (anyOf) return fc.oneof(...(anyOf as JsonSchema[]).map((inner) => valueOf(inner, field, known)));
  if (type === 'array') {
    const length = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
    return fc.array(valueOf(schema.items as JsonSchema, field, known), length);
  }
  if (type === 'string') return textOf(schema);
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return fc.boolean();
  return fc.constant(null);
}

/**
 * Satisfies the rules over several fields: at least one of a group that needs one, and exactly one of a group
 * that allows one.
 */
function objectOf(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>);
  const required = new Set(schema.required as string[] | undefined);
  const given = properties.map(([name, inner]) =>
    fc.tuple(
      fc.constant(name),
      valueOf(inner, name, known),
      required.has(name) ? fc.constant(true) : fc.boolean(),
    ),
  );
  return fc.tuple(fc.nat(), ...given).map(([choice, ...members]) => {
    const wanted = new Set(members.flatMap(([name, , isGiven]) => (isGiven ? [name] : [])));
    for (const rule of [schema, ...((schema.allOf as JsonSchema[] | undefined) ?? [])])
      keepRule(rule, wanted, choice);
    return Object.fromEntries(members.flatMap(([name, value]) => (wanted.has(name) ? [[name, value]] : [])));
  });
}

function keepRule({ anyOf, oneOf }: JsonSchema, wanted: Set<string>, choice: number): void {
  const names = ((anyOf ?? oneOf ?? []) as { required?: string[] }[]).flatMap(
    ({ required }) => required ?? [],
  );
  if (names.length === 0) return;
  const chosen = names[choice % names.length];
  if (oneOf) for (const name of names) wanted.delete(name);
  if (!names.some((name) => wanted.has(name))) wanted.add(chosen);
}

function textOf({
  minLength = 0,
  maxLength = Infinity,
  pattern,
  format,
}: JsonSchema & { minLength?: number; maxLength?: number }) {
  const fits = (value: string) => [...value].length >= minLength && [...value].length <= maxLength;
  if (format === 'uri') return fc.constantFrom(...URIS);
  if (format === 'date-time') return fc.constantFrom(...DATE_TIMES);
  if (format === 'date') return fc.constantFrom(...DAYS);
  if (pattern)
    return fc
      .stringMatching(new RegExp(pattern as string))
      .filter((value) => value.isWellFormed() && !value.includes('\0') && fits(value));
  const character = fc.constantFrom(...CHARACTERS);
  const text = fc
    .array(character, { minLength, maxLength: Math.min(maxLength, minLength + 12) })
    .map((all) => all.join(''));
  return maxLength > 5_000
    ? text
    : fc.oneof(
        { weight: 5, arbitrary: text },
        { weight: 1, arbitrary: character.map((one) => one.repeat(maxLength)) },
      );
}

function numberOf(schema: JsonSchema): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>;
  const low = minimum ?? exclusiveMinimum ?? -1e6;
  const high = maximum ?? Math.max(low, 1e6);
  const near = fc.integer({ min: Math.ceil(low), max: Math.floor(Math.min(high, Math.max(low, 0) + 1e6)) });
  const step = schema.type === 'integer' ? 1 : 0.01;
  const bounds = fc.constantFrom(exclusiveMinimum === undefined ? low : low + step, high);
  const exact = exclusiveMinimum === undefined ? near : near.map((value) => value + step);
  return fc.oneof({ weight: 4, arbitrary: exact }, { weight: 1, arbitrary: bounds });
}

/** One place in a value: its schema, and the object and key by which it can be replaced. */
interface Place {
  schema: JsonSchema;
  holder: Record<string, unknown>;
  key: string;
}

function withFault(
  schema: JsonSchema,
  value: unknown,
  [where, what, kind]: [number, number, number],
): unknown {
  const copy = structuredClone(value);
  const places = placesOf(schema, copy);
  const objects = [copy, ...places.map(({ holder, key }) => holder[key])].filter(
    (inner): inner is Record<string, unknown> =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner),
  );
  if (kind === 0 || places.length === 0) {
    const name = UNKNOWN_NAMES[what % UNKNOWN_NAMES.length];
    if (objects.length === 0) return ODD[what % ODD.length] ?? {};
    // Not an assignment: that would set the prototype.
    Object.defineProperty(objects[where % objects.length], name, {
      value: 1,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return copy;
  }
  const { schema: inner, holder, key } = places[where % places.length];
  if (kind === 1) delete holder[key];
  else if (kind === 2) holder[key] = ODD[what % ODD.length];
  else {
    const bounds = boundsOf(inner);
    holder[key] = bounds.length > 0 ? bounds[what % bounds.length] : ODD[what % ODD.length];
  }
  return Array.isArray(holder) ? withoutHoles(copy) : copy;
}

function placesOf(schema: JsonSchema, value: unknown): Place[] {
  const { properties, items } = unwrapped(schema) as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
  };
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => {
    const inner = Array.isArray(value)
      ? items
      : properties && Object.hasOwn(properties, key)
        ? properties[key]
        : undefined;
    return inner ? [{ schema: inner, holder, key }, ...placesOf(inner, holder[key])] : [];
  });
}

/** The actual schema of a nullable one. */
function unwrapped(schema: JsonSchema): JsonSchema {
  const alternatives = schema.type === 'object' ? undefined : (schema.anyOf as JsonSchema[] | undefined);
  return alternatives ? unwrapped(alternatives[0]) : schema;
}

/** Both sides of every bound. */
function boundsOf(schema: JsonSchema): unknown[] {
  const { type, minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems } = unwrapped(
    schema,
  ) as Record<string, any>;
  const lengths = [minLength, maxLength].filter((length) => length !== undefined && length <= 10_000);
  const numbers = [minimum, maximum, exclusiveMinimum].filter((bound) => bound !== undefined);
  const counts = [minItems, maxItems].filter((count) => count !== undefined && count <= 1_000);
  const step = type === 'integer' ? 1 : 0.01;
  return [
    ...lengths.flatMap((length) =>
      [-1, 0, 1].flatMap((more) => ['x', '😀'].map((one) => one.repeat(Math.max(0, length + more)))),
    ),
    ...numbers.flatMap((bound) => [bound - step, bound, bound + step]),
    ...counts.flatMap((count) =>
      [-1, 0, 1].map((more) => Array.from({ length: Math.max(0, count + more) }, () => 'x')),
    ),
  ];
}

const withoutHoles = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
