import type { TestApp } from '../test-app.js';

/**
 * Every row of a store as text, by table, to see whatever a call has changed. Only the last-used times of
 * tokens are left out.
 */
export type StoreDump = Record<string, string[]>;

export async function storeDump(app: TestApp, storeId: string): Promise<StoreDump> {
  const tables = await app.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      and a.attname = 'store_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  );
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, string_agg(x.row, E'\\n' order by x.row) as rows
       from (select (to_jsonb(t) - 'last_used_at')::text as row from ${name} t where t.store_id = $1) x`,
  );
  const own = `select 'stores', to_jsonb(t)::text from stores t where t.id = $1`;
  // JSON has no line breaks, and a text is read many times as fast as an array.
  // The parts of a union come in any order, where PostgreSQL reads them in parallel.
  const all = `${[...parts, own].join(' union all ')} order by 1`;
  const dump = await app.query<{ name: string; rows: string | null }>(all, [storeId]);
  return Object.fromEntries(dump.map(({ name, rows }) => [name, rows?.split('\n') ?? []]));
}
