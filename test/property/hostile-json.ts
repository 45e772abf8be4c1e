import fc from 'fast-check';

/**
 * JSON as raw text: duplicate keys, halves of surrogates and numbers beyond any double cannot be written any
 * other way.
 */
export type Raw = string;

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** What stands where a value belongs. */
const HOSTILE: Raw[] = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '-1',
    '1.5',
    '""',
    '" "',
    '"5"',
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '{"a":1}',
  ],
  // Numbers: beyond doubles, beyond integers, almost integers, denormal, in another spelling.
  ...[
    '1e400',
    '-1e400',
    '1e308',
    '5e-324',
    '1e-400',
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234567890',
  ],
  ...['4294967296', '2147483648', '9223372036854775808', '0.1e1', '1E2', '1.0000000000000000001'],
  // Text no database takes, or that means something to somebody.
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ufeff"',
    '"\\u202e"',
    '"\\uffff"',
    '"\\b\\f\\n\\r\\t"',
  ],
  ...[
    '"\'; drop table orders; --"',
    '"$1"',
    '"%s%n"',
    '"${7*7}"',
    '"../../etc/passwd"',
    '"<script>"',
    '"\\\\"',
    '"\\\\x00"',
  ],
  ...[
    '"0"',
    '"-1"',
    '"NaN"',
    '"Infinity"',
    '"99999999999999999999"',
    '"00000000-0000-0000-0000-000000000000"',
  ],
  ...[
    '"ffffffff-ffff-ffff-ffff-ffffffffffff"',
    '"0197f000-0000-7000-8000-00000000000g"',
    '"0001-01-01T00:00:00Z"',
  ],
  ...[
    '"9999-12-31T23:59:59.999Z"',
    '"2026-02-30"',
    '"http://"',
    '"https://[::1]:99999/"',
    '"http://a\\u0000.example"',
  ],
  // Keys every object has already.
  ...[
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"toString":1,"valueOf":1,"hasOwnProperty":1}',
  ],
  ...[
    '{"toJSON":"x"}',
    '{"then":"x"}',
    '{"length":4294967295}',
    '{"":0}',
    '{"\\u0000":0}',
    '{"\\ud800":0}',
    '{"a":1,"a":2}',
  ],
  // Depth and size.
  deep('[', ']', 31),
  deep('[', ']', 33),
  deep('[', ']', 20_000),
  `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  JSON.stringify(Array.from({ length: 20_000 }, () => '')),
  JSON.stringify(Array.from({ length: 5_000 }, () => ({}))),
  `"${'x'.repeat(1_000_000)}"`,
  `"${'\\u0001'.repeat(100_000)}"`,
  `"${'😀'.repeat(200_000)}"`,
  `"${'x'.repeat(1_048_576)}"`,
];

const HOLE = '@@hole@@';
const PROPERTIES = [
  '__proto__',
  'constructor',
  'toString',
  'storeId',
  'store_id',
  '',
  'ID',
  '\\u0000',
  '\\ud800',
  'x'.repeat(100_000),
];

/** Bodies that are no input at all. */
export const HOSTILE_BODIES: Raw[] = [
  ...[
    '[',
    '{',
    '{"',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '{"a":01}',
    '{"a":.5}',
    '{"a":NaN}',
    '{"a":undefined}',
  ],
  ...[
    '\u0000',
    '\ufeff{}',
    '{}{}',
    '{} x',
    '/**/{}',
    '"\\x"',
    '"\n"',
    'nul',
    '-',
    '1e',
    '[1,]',
    '{"a":"\\u12"}',
    '<xml/>',
    'a=1',
  ],
  ...HOSTILE,
];

/** Every path to a value of the input, its holders' included. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]));
  return path.length > 0 ? [path, ...inner] : inner;
}

function replaced(input: object, path: string[], by: Raw): Raw {
  const copy = structuredClone(input) as Record<string, any>;
  const holder = path.slice(0, -1).reduce((inner, key) => inner[key], copy);
  holder[path[path.length - 1]] = HOLE;
  return JSON.stringify(copy).replace(`"${HOLE}"`, () => by);
}

/** Into the object at its start: unknown names, and names it has already, which then come twice. */
function inserted(input: object, name: Raw, value: Raw): Raw {
  const text = JSON.stringify(input);
  return text === '{}' ? `{"${name}":${value}}` : `{"${name}":${value},${text.slice(1)}`;
}

/** A valid input with one or two of its values replaced, or a property too many; or no input at all. */
export function hostileBodies(example: object): fc.Arbitrary<Raw> {
  const paths = pathsOf(example);
  const hostile = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 6 }) },
  );
  const names = fc.constantFrom(...PROPERTIES, ...Object.keys(example));
  const bodies: fc.WeightedArbitrary<Raw>[] = [
    { weight: 2, arbitrary: fc.tuple(names, hostile).map(([name, value]) => inserted(example, name, value)) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
  ];
  if (paths.length > 0) {
    const replacement = fc
      .tuple(fc.constantFrom(...paths), hostile)
      .map(([path, by]) => replaced(example, path, by));
    bodies.push({ weight: 7, arbitrary: replacement });
  }
  return fc.oneof(...bodies);
}
