import fc from 'fast-check';
import { parseExactJson } from './exact-json.js';

/** Integers of any length, which `write` writes as JSON numbers. */
const long = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  long,
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
}));

function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(' ,')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)} : ${write(inner)}`)}}`;
}

/** The expected result: unsafe integers as text, everything else as JSON.parse returns it. */
function expected(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number')
    return /^-?\d+$/.test(String(value)) && !Number.isSafeInteger(value) ? String(value) : value;
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expected(inner)]));
}

describe('parseExactJson', () => {
  it.each<[string, unknown]>([
    ['{"id":9007199254740993}', { id: '9007199254740993' }],
    ['{"id":9007199254740991}', { id: 9007199254740991 }],
    ['[-9007199254740993]', ['-9007199254740993']],
    [
      '{"name":"9007199254740993","x":"a\\"9007199254740993"}',
      { name: '9007199254740993', x: 'a"9007199254740993' },
    ],
    ['"\\\\"', '\\'],
    ['["\\\\",9007199254740993,"\\\\\\""]', ['\\', '9007199254740993', '\\"']],
    ['[9007199254740993.0,9007199254740993e0,1e400]', [9007199254740992, 9007199254740992, Infinity]],
    ['{"9007199254740993":1}', { '9007199254740993': 1 }],
  ])('reads %s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  it.each(['', '{', '{"id":9007199254740993', '09007199254740993', "{'id':1}"])('throws for %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('reads any JSON as it is, with the digits of long integers', () => {
    fc.assert(
      fc.property(value, (value) => {
        expect(JSON.stringify(parseExactJson(write(value)))).toBe(
          JSON.stringify(expected(JSON.parse(JSON.stringify(value, keep), revive))),
        );
      }),
      { numRuns: 500 },
    );
  });
});

// -0 and keys such as __proto__ change when they are written as JSON and parsed, so both sides are compared
// after that.
const keep = (_: string, value: unknown) => (typeof value === 'bigint' ? { bigint: String(value) } : value);
const revive = (_: string, value: any) =>
  value && typeof value === 'object' && typeof value.bigint === 'string' && Object.keys(value).length === 1
    ? BigInt(value.bigint)
    : value;
