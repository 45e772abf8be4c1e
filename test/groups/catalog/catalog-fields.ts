import { type Answer, ownerQuery, type TestStore } from '../../support/test-app.js';

/** Values on both sides of a field's bounds. Null and absence are for each operation to say. */
export interface Bounds {
  accepted: unknown[];
  refused: unknown[];
}

/** A field of an operation, its bounds, and whether null empties it. */
export type FieldCase = [field: string, bounds: Bounds, nullable?: 'nullable'];

/** Lengths are in characters, not UTF-16 units: the 😀 is one. */
export const text = (min: 0 | 1, max: number): Bounds => ({
  accepted: ['x'.repeat(min), 'x'.repeat(max), '😀'.repeat(max), ' ä ß 漢 '],
  refused: [
    ...(min === 1 ? [''] : []),
    'x'.repeat(max + 1),
    '😀'.repeat(max + 1),
    5,
    true,
    ['x'],
    {},
    'nul \u0000',
  ],
});

export const SLUG: Bounds = {
  accepted: ['a', '0', '-', 'a-1', 's'.repeat(200)],
  refused: ['', 's'.repeat(201), 'Upper', 'two words', 'under_score', 'ä', 'dot.', 'line\n', 7, ['a']],
};

export const WEB_URL: Bounds = {
  accepted: ['https://images.example/a.png?w=1#x', 'http://images.example'],
  refused: [
    '',
    'images.example/a.png',
    '/a.png',
    'ftp://images.example/a',
    'tg://resolve',
    'javascript:alert(1)',
    'https://',
    3,
  ],
};

export const FLAG: Bounds = { accepted: [true, false], refused: ['true', 'false', 0, 1] };

export const integer = (bounds: Partial<Bounds>): Bounds => ({
  accepted: [Number.MAX_SAFE_INTEGER, ...(bounds.accepted ?? [])],
  refused: [Number.MAX_SAFE_INTEGER + 1, 1.5, '5', true, [1], ...(bounds.refused ?? [])],
});

/** [field, value] of every value that a table accepts, null among them where it is allowed. */
export const accepted = (table: FieldCase[]) =>
  table.flatMap(([field, { accepted }, nullable]) =>
    [...accepted, ...(nullable ? [null] : [])].map((value): [string, unknown] => [field, value]),
  );

export const refused = (table: FieldCase[]) =>
  table.flatMap(([field, { refused }, nullable]) =>
    [...refused, ...(nullable ? [] : [null])].map((value): [string, unknown] => [field, value]),
  );

/** A refusal names the field first. @param value what was refused, for the failure's message */
export function expectInvalid({ status, body }: Answer, field: string, value?: unknown): void {
  const error = { code: 'invalid_input', message: expect.stringMatching(new RegExp(`^${field}\\b`)) };
  expect({ value, status, body }).toEqual({ value, status: 400, body: { ok: false, error } });
}

export function expectNotFound({ status, body }: Answer, id?: unknown): void {
  const error = { code: 'not_found', message: expect.any(String) };
  expect({ id, status, body }).toEqual({ id, status: 404, body: { ok: false, error } });
}

/** Every record of a list, walked page by page; `between` runs after each page. */
export async function walk(
  store: TestStore,
  operation: string,
  input: object,
  between?: () => Promise<unknown>,
): Promise<any[]> {
  const items = [];
  let cursor: string | null | undefined;
  do {
    const page = await store.data(operation, { ...input, ...(cursor ? { cursor } : {}) });
    items.push(...page.items);
    cursor = page.nextCursor;
    await between?.();
  } while (cursor);
  return items;
}

export interface AuditRow extends Record<string, unknown> {
  operation: string;
  target: string | null;
  input: Record<string, unknown>;
  changes: Record<string, [unknown, unknown]> | null;
  outcome: string;
}

/** The store's audit rows, oldest first. */
export function auditRows(store: TestStore): Promise<AuditRow[]> {
  return ownerQuery<AuditRow>(
    'select operation, target, input, changes, outcome from audit_log where store_id = $1 order by id',
    [store.id],
  );
}

/** How many rows the store has in a table. */
export async function count(
  store: TestStore,
  table: 'brands' | 'categories' | 'contests' | 'audit_log',
): Promise<number> {
  const [{ n }] = await ownerQuery<{ n: number }>(
    `select count(*)::int as n from ${table} where store_id = $1`,
    [store.id],
  );
  return n;
}

let last = 0;
/** A slug of its own for every record of the file. */
export const freshSlug = () => `record-${++last}`;
