import pg from 'pg';

interface Column {
  table: string;
  column: string;
  type: string;
  literal: string | null;
}

interface ForeignKey {
  table: string;
  columns: string[];
  target: string;
  targetColumns: string[];
}

const VALUES: Record<string, (n: number) => unknown> = {
  uuid: () => '00000000-0000-4000-8000-' + Math.random().toString(16).slice(2).padEnd(12, '0').slice(0, 12),
  text: () => `text ${Math.random().toString(36).slice(2)}`,
  boolean: () => false,
  bytea: () => Buffer.from([0, 9, 10, 92, 255]),
  json: () => '{"b":1,"a":"\\t\\\\n"}',
  jsonb: () => '{"a":"\\t\\\\n"}',
  'text[]': () => ['x', 'y,"z"'],
  date: () => '2026-01-02',
};

/** A value of the type. Times rise from column to column, because a period must end after it starts. */
function valueOf({ type, literal }: Column, n: number): unknown {
  if (literal !== null) return literal;
  const base = type.replace(/\(.*?\)/, '');
  if (VALUES[base]) return VALUES[base](n);
  if (base.endsWith('[]')) return [1, 2];
  if (base.startsWith('timestamp')) return new Date(Date.UTC(2026, 0, 1, n)).toISOString();
  return 1;
}

/**
 * Inserts a row of the store into every table that has none; tables without stores get one if they are empty.
 * Reads the columns and references from the database, so that future tables are filled too.
 */
export async function fillEmptyTables(ownerUrl: string, storeId: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows: columns } = await client.query<Column>(COLUMNS);
    const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS);
    const waiting = new Set(await emptyTables(ownerUrl, storeId));
    while (waiting.size > 0) {
      const table = [...waiting].find(
        (name) => !keys.some((key) => key.table === name && waiting.has(key.target)),
      );
      if (!table) throw new Error(`these tables refer to each other in a circle: ${[...waiting].join(', ')}`);
      waiting.delete(table);
      const row: Record<string, unknown> = {};
      const own = columns.filter((column) => column.table === table);
      own.forEach((column, n) => (row[column.column] = valueOf(column, n)));
      for (const key of keys.filter((candidate) => candidate.table === table)) {
        if (!key.columns.some((column) => column in row)) continue;
        const ofStore = key.targetColumns.includes('store_id')
          ? 'where store_id = $1'
          : key.target === 'stores'
            ? 'where id = $1'
            : '';
        const { rows } = await client.query(
          `select ${key.targetColumns.map((c) => `${c}::text`).join(', ')} from ${key.target} ${ofStore}
            limit 1`,
          ofStore ? [storeId] : [],
        );
        key.columns.forEach((column, i) => (row[column] = rows[0][key.targetColumns[i]]));
      }
      if ('store_id' in row) row.store_id = storeId;
      const names = Object.keys(row);
      // A trigger may have made this row with one of another table.
      await client.query(
        `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})
         on conflict do nothing`,
        Object.values(row),
      );
    }
  } finally {
    await client.end();
  }
}

/** Our tables that have no row; for tables with stores, no row of this store. */
export async function emptyTables(ownerUrl: string, storeId: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; has_store: boolean }>(TABLES);
    const empty: string[] = [];
    for (const { name, has_store: hasStore } of tables) {
      const { rowCount } = await client.query(
        `select 1 from ${name} ${hasStore ? 'where store_id = $1' : ''} limit 1`,
        hasStore ? [storeId] : [],
      );
      if (!rowCount) empty.push(name);
    }
    return empty;
  } finally {
    await client.end();
  }
}

/**
 * Every row of every table as text, sorted, by table. It is equal for two databases with the same contents.
 */
export async function everyRow(
  url: string,
  where: (table: string, hasStore: boolean) => string = () => '',
): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; has_store: boolean }>(TABLES);
    const found: Record<string, string[]> = {};
    for (const { name, has_store: hasStore } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${name} t ${where(name, hasStore)} order by 1`,
      );
      found[name] = rows.map(({ row }) => row);
    }
    return found;
  } finally {
    await client.end();
  }
}

const OURS = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relname not in ('migrations', 'encryption_keys', 'role_passwords', 'job_runs', 'operator_log',
    'search_documents')`;

const TABLES = `
  select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid
    and a.attname = 'store_id') as has_store
  from pg_class c where ${OURS} order by 1`;

/** The columns that need a value, with the first value that a check constraint of the column allows. */
const COLUMNS = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
    (select substring(pg_get_constraintdef(k.oid) from $$(?:ARRAY\\[|= )'([^']*)'$$) from pg_constraint k
     where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as literal
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where ${OURS} and a.attnotnull and not a.atthasdef and a.attidentity = '' and a.attgenerated = ''
  order by c.relname, a.attnum`;

const FOREIGN_KEYS = `
  select c.relname as table, t.relname as target,
    (select array_agg(a.attname::text order by o.n) from unnest(k.conkey) with ordinality o(num, n)
     join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.num) as columns,
    (select array_agg(a.attname::text order by o.n) from unnest(k.confkey) with ordinality o(num, n)
     join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.num) as "targetColumns"
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where ${OURS} and k.contype = 'f' and k.conrelid <> k.confrelid`;
