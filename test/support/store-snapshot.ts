import type { TestApp } from './test-app.js';

/** Tables a call may touch whether or not it does anything: a token keeps when it was last used. */
const NOT_COMPARED = ['api_tokens'];

/** Every row of a store, of every table, as text: equal before and after what must leave no trace. */
export async function snapshotOf(app: TestApp, storeId: string): Promise<Record<string, string[]>> {
  const tables = await app.query<{ name: string }>(
    `select quote_ident(c.table_name) as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.column_name = 'store_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE' and not c.table_name = any($1)`,
    [NOT_COMPARED],
  );
  const rowsOf = tables.map(({ name }) => `select '${name}' as name, t::text as row from ${name} t where t.store_id = $1`);
  const rows = await app.query<{ name: string; row: string }>(`${rowsOf.join(' union all ')} order by 1, 2`, [storeId]);
  const snapshot: Record<string, string[]> = {};
  for (const { name, row } of rows) (snapshot[name] ??= []).push(row);
  return snapshot;
}
