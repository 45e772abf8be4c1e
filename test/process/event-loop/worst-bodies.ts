import { type DtoClass, fields, type FieldSpec } from '../../../src/platform/schema/field-spec.js';

/** Bodies of 1 MiB that cost most to read, to walk, to search or to explain; each with its name. */
export type Body = [name: string, body: string];

const MIB = 1_048_576;
const fill = (text: string, size: number) => text.repeat(Math.max(1, Math.floor(size / text.length)));
const list = (item: string, size: number) => `[${fill(`${item},`, size - 2).slice(0, -1)}]`;
const numbered = (size: number, item: (i: string) => string) => {
  const items: string[] = [];
  for (let i = 0, length = 0; length < size - 40; i++)
    length += items[items.push(item(i.toString(36))) - 1].length + 1;
  return items.join(',');
};

/**
 * Objects of the same few keys, each in an order of its own: every one makes the engine remember a new shape.
 */
function shuffled(size: number, keys: number): string {
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const object = () => {
    const left = [...'abcdefghijklmnopqrstuvwxyz'];
    return Array.from({ length: keys }, () => `"${left.splice(random(left.length), 1)[0]}":1`).join(',');
  };
  return `[${numbered(size, () => `{${object()}}`)}]`;
}

/** Values in place of a field's own. */
const VALUES: Record<string, (size: number) => string> = {
  objects: (size) => list('{}', size),
  lists: (size) => list('[]', size),
  numbers: (size) => list('1', size),
  'long numbers': (size) => list('1.2345678901234567e-300', size),
  strings: (size) => list('""', size),
  'different strings': (size) => `[${numbered(size, (i) => `"${i}"`)}]`,
  urls: (size) => list('"https://a.example/"', size),
  deep: (size) => fill('[', size / 2) + fill(']', size / 2),
  'deep objects': (size) => `${fill('{"a":', (size * 5) / 6)}1${fill('}', size / 6)}`,
  keys: (size) => `{${numbered(size, (i) => `"k${i}":1`)}}`,
  'keys that are numbers': (size) => `{${numbered(size, (i) => `"${parseInt(i, 36) * 37}":1`)}}`,
  'keys with escapes': (size) => `{${numbered(size, (i) => `"\\n${i}":1`)}}`,
  'objects of other keys': (size) => `[${numbered(size, (i) => `{"${i}x":1}`)}]`,
  'few shuffled keys': (size) => shuffled(size, 8),
  'many shuffled keys': (size) => shuffled(size, 26),
  'a long string': (size) => `"${fill('x', size - 2)}"`,
  'a string of escapes': (size) => `"${fill('\\u0001', size - 2)}"`,
  'a string of backslashes': (size) => `"${fill('\\\\', size - 2)}"`,
  'a wide string': (size) => `"${fill('😀', (size - 2) / 2)}"`,
  'a long address': (size) => `"https://a.example/${fill('%41', size - 40)}"`,
  'an address of dots': (size) => `"https://${fill('a.', size - 40)}example/"`,
  'a string that ends badly': (size) => `"${fill('x', size - 20)}\\u0000"`,
  'a long number': (size) => fill('9', size),
};

/** The shapes that matter most where an operation has no lists or objects. */
const FOR_SCALARS = [
  'objects',
  'keys',
  'a long string',
  'a string of escapes',
  'a wide string',
  'an address of dots',
  'a long number',
];

/**
 * Bodies for an input: with what no operation knows, and with each value in each kind of place that the
 * operation has.
 */
export function bodiesFor(type: DtoClass, size = MIB): Body[] {
  const ids = `"id":"0197f000-0000-7000-8000-000000000000"`;
  const unknown: Body[] = [
    ['unknown keys', `{${numbered(size, (i) => `"k${i}":1`)}}`],
    ['one key again and again', `{${fill('"a":1,', size - 20)}"b":1}`],
    ['unknown depth', `{"a":${VALUES.deep(size - 20)}}`],
    ['white space', `{${fill(' \n', size - 10)}}`],
    ['no end', `{"a":[${fill('{},', size - 20)}`],
    ['unknown beside known', `{${ids},${numbered(size, (i) => `"k${i}":{}`)}}`],
  ];
  return [
    ...unknown,
    ...placesOf(type).flatMap(([field, open, close]) => bodiesOf(field, open, close, size)),
  ];
}

function bodiesOf(field: FieldSpec, open: string, close: string, size: number): Body[] {
  const room = size - open.length - close.length - 10;
  const hasInside = field.nested || field.maxItems !== undefined || field.maxBytes !== undefined;
  const names = hasInside ? Object.keys(VALUES) : scalarShapes(field);
  const bodies = names.map((name): Body => [
    `${field.name}: ${name}`,
    `${open}${VALUES[name](room)}${close}`,
  ]);
  if (field.nested?.list)
    bodies.push([`${field.name}: as many as may be, all bad`, `${open}${fullOfBad(field, room)}${close}`]);
  return bodies;
}

const scalarsSeen = new Set<string>();

/** All of them once for each kind of scalar; in other operations, two. */
function scalarShapes({ schema: { type, format, pattern } }: FieldSpec): string[] {
  const kind = JSON.stringify([type, format, pattern]);
  if (scalarsSeen.has(kind)) return ['objects', 'a string of escapes'];
  scalarsSeen.add(kind);
  return FOR_SCALARS;
}

/**
 * One field of each kind, from the top and from within; the others of its kind are read and judged by the
 * same code.
 */
function placesOf(
  type: DtoClass,
  open = '{',
  close = '}',
  seen = new Set<string>(),
): [FieldSpec, string, string][] {
  return fields(type).flatMap((field): [FieldSpec, string, string][] => {
    const { name, nested, schema, maxItems, maxBytes } = field;
    const kind = JSON.stringify([
      schema.type,
      schema.format,
      schema.pattern,
      maxItems,
      maxBytes,
      nested?.list,
    ]);
    const here = `${open}"${name}":`;
    const inside = nested
      ? placesOf(
          nested.type(),
          nested.list ? `${here}[{` : `${here}{`,
          nested.list ? `}]${close}` : `}${close}`,
          seen,
        )
      : [];
    if (seen.has(kind) || schema.type === 'boolean' || schema.enum) return inside;
    seen.add(kind);
    return [[field, here, close], ...inside];
  });
}

/** A list at its bound whose items are all wrong, again with full lists inside. */
function fullOfBad({ nested, maxItems }: FieldSpec, size: number): string {
  const lists = fields(nested!.type()).filter((field) => field.maxItems !== undefined);
  const room = Math.floor(size / maxItems!) - 2;
  const inner = lists.map(
    (field) => `"${field.name}":[${fill('{},', Math.min(room - 20, field.maxItems! * 3)).slice(0, -1)}]`,
  );
  const unknown = numbered(Math.max(80, room - inner.join().length - 10), (i) => `"${i}":1`);
  return `[${Array.from({ length: maxItems! }, () => `{${[...inner, unknown].join(',')}}`).join(',')}]`.slice(
    0,
    size + 1,
  );
}

const USER =
  '"from":{"id":9007199254740993,"is_bot":false,"first_name":"Ann"},"chat":{"id":1,"type":"private"}';

/** What a forged, or a very strange, update of the messenger may hold. */
export const UPDATE_BODIES: Body[] = [
  ...Object.entries(VALUES).flatMap(([name, value]): Body[] => [
    [`text: ${name}`, `{"update_id":1,"message":{${USER},"text":${value(MIB - 300)}}}`],
    [`beside: ${name}`, `{"update_id":1,"message":{${USER},"text":"/start"},"x":${value(MIB - 300)}}`],
  ]),
  ['start', `{"update_id":1,"message":{${USER},"text":"/start ${fill('x', MIB - 300)}"}}`],
  ['start and blanks', `{"update_id":1,"message":{${USER},"text":"/start${fill(' ', MIB - 300)}x"}}`],
  [
    'long integers',
    `{"update_id":1,"message":{${USER}},"x":${list('9007199254740993', 60_000)},"y":"${fill('x', 900_000)}"}`,
  ],
];

const AROUND_A_CALL = [
  'objects',
  'deep',
  'keys',
  'keys with escapes',
  'many shuffled keys',
  'a string of escapes',
];
const CALL = '"jsonrpc":"2.0","id":1,"method":"tools/call"';

/** Messages that are strange around a call's arguments. */
export const MCP_BODIES: Body[] = AROUND_A_CALL.map((name) => [name, VALUES[name]] as const).flatMap(
  ([name, value]): Body[] => [
    [`message: ${name}`, value(MIB)],
    [
      `beside: ${name}`,
      `{${CALL},"params":{"name":"get_order","arguments":{"orderId":1}},"x":${value(MIB - 200)}}`,
    ],
    [
      `_meta: ${name}`,
      `{${CALL},"params":{"name":"get_order","arguments":{},"_meta":{"a":${value(MIB - 200)}}}}`,
    ],
    [`arguments: ${name}`, `{${CALL},"params":{"name":"get_order","arguments":${value(MIB - 200)}}}`],
    [`name: ${name}`, `{${CALL},"params":{"name":${value(MIB - 200)}}}`],
    [
      `initialize: ${name}`,
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":${value(MIB - 200)}}}`,
    ],
  ],
);
