import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { list, type StoreTable } from './store-tables.js';

/** Both ends of a move, by connections that are used for nothing else. */
export interface Ends {
  from: pg.Client;
  to: pg.Client;
  /** Owns the tables there. */
  owner: pg.Client;
}

/** What is entered in one transaction. While it is open, the feeds of other stores there wait. */
const BATCH_ROWS = 10_000;
const BATCH_BYTES = 64 * 1024 * 1024;
const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';

const name = pg.escapeIdentifier;
const arriving = (table: StoreTable) => name(`arriving_${table.name}`);

/**
 * Makes these rows of a store there those that are here.
 * @param which a condition for them, in SQL
 * @returns how many rows were changed, in which tables, and a failure that may be gone once other tables have
 * been copied
 */
export async function copyRows(
  { from, to }: Ends,
  table: StoreTable,
  storeId: string,
  which: string,
): Promise<{ changed: number; touched: Set<string>; failure?: Error }> {
  const staged = arriving(table);
  const columns = list(table.columns);
  await to.query(
    `create temporary table ${staged} as select ${columns} from ${name(table.name)} with no data`,
  );
  const rows = `select ${columns} from ${name(table.name)}
    where store_id = ${pg.escapeLiteral(storeId)} and (${which})`;
  await pipeline(
    from.query(copyTo(`copy (${rows}) to stdout`)) as Readable,
    to.query(copyFrom(`copy ${staged} from stdin`)),
  );
  let changed = 0;
  let failure: Error | undefined;
  const touched = new Set<string>();
  const batches = await batchesOf(to, table);
  const steps = [
    () => deleteGone(to, table, storeId, which, touched),
    ...batches.map((range) => () => enterBatch(to, table, range, batches.length > 1, touched)),
  ];
  for (const step of steps) {
    try {
      changed += await step();
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== FOREIGN_KEY_VIOLATION && code !== UNIQUE_VIOLATION) throw error;
      failure ??= error as Error;
    }
  }
  await to.query(`drop table ${staged}`);
  return { changed, touched, failure };
}

/** Conditions for the rows `s` that have arrived, each for those of one transaction. */
async function batchesOf(to: pg.Client, table: StoreTable): Promise<string[]> {
  await to.query(`analyze ${arriving(table)}`);
  const { rows: sizes } = await to.query<{ rows: number; pages: number; bytes: number }>(
    `select reltuples::float8 as rows, relpages as pages, pg_table_size(oid)::float8 as bytes from pg_class
     where oid = $1::regclass`,
    [`pg_temp.${arriving(table)}`],
  );
  const [{ rows, pages, bytes }] = sizes;
  const batches = Math.max(rows / BATCH_ROWS, bytes / BATCH_BYTES);
  const step = Math.max(1, Math.floor(pages / Math.max(1, batches)));
  return Array.from(
    { length: Math.ceil(pages / step) },
    (_, i) => `s.ctid >= '(${i * step},0)' and s.ctid < '(${(i + 1) * step},0)'`,
  );
}

const sameKey = ({ key }: StoreTable) =>
  key.map((column) => `t.${name(column)} = s.${name(column)}`).join(' and ');
const differs = ({ columns }: StoreTable, other: string) =>
  `row(${list(columns, 't.')})::text <> row(${list(columns, other)})::text`;

/** Deletes those of these rows that are no more where the store comes from. */
function deleteGone(
  to: pg.Client,
  table: StoreTable,
  storeId: string,
  which: string,
  touched: Set<string>,
): Promise<number> {
  return inTransaction(to, touched, async () => {
    const { rowCount } = await to.query(
      `with gone as materialized (
         select ${list(table.key)} from ${name(table.name)} where store_id = $1 and (${which})
         except select ${list(table.key)} from ${arriving(table)})
       delete from ${name(table.name)} t using gone s where ${sameKey(table)}`,
      [storeId],
    );
    return rowCount!;
  });
}

/**
 * @param isOneOfMany whether a row may refer to one of a later batch: it does so after another round, in
 * which that one is there
 */
function enterBatch(
  to: pg.Client,
  table: StoreTable,
  range: string,
  isOneOfMany: boolean,
  touched: Set<string>,
): Promise<number> {
  const { columns, key, parent } = table;
  const values = columns.map((column) => {
    const value = `s.${name(column)}`;
    if (!isOneOfMany || !parent.includes(column)) return value;
    return `case when exists (select from ${name(table.name)} p
      where p.store_id = s.store_id and p.${name(key[key.length - 1])} = ${value}) then ${value} end`;
  });
  const insert = `insert into ${name(table.name)} as t (${list(columns)}) overriding system value
    select ${values.join(', ')} from ${arriving(table)} s where ${range} on conflict (${list(key)}) do`;
  const changes = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${name(column)} = excluded.${name(column)}`);
  const update =
    changes.length > 0 ? `update set ${changes.join(', ')} where ${differs(table, 'excluded.')}` : 'nothing';
  return inTransaction(to, touched, async () => (await to.query(`${insert} ${update}`)).rowCount!).catch(
    (error: Error & { code?: string }) => {
      if (error.code !== UNIQUE_VIOLATION) throw error;
      // Two rows may have exchanged what only one may have at a time.
      return inTransaction(to, touched, async () => {
        await to.query(
          `delete from ${name(table.name)} t using ${arriving(table)} s
           where ${range} and ${sameKey(table)} and ${differs(table, 's.')}`,
        );
        return (await to.query(`${insert} nothing`)).rowCount!;
      });
    },
  );
}

/** @param touched gets the names of the tables that the transaction changes, also by triggers */
async function inTransaction<Result>(
  client: pg.Client,
  touched: Set<string>,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    const before = await changesOf(client);
    const result = await work();
    await client.query('set constraints all immediate');
    for (const [table, changes] of await changesOf(client))
      if (changes === null || changes !== before.get(table)) touched.add(table);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** How many changes of each table the session has counted; null if the server counts none. */
async function changesOf(client: pg.Client): Promise<Map<string, string | null>> {
  const { rows } = await client.query<{ name: string; changes: string | null }>(CHANGES);
  return new Map(rows.map(({ name: table, changes }) => [table, changes]));
}

const CHANGES = `
  select coalesce(i.inhparent::regclass::text, x.relname) as name,
    case when current_setting('track_counts')::boolean
      then sum(x.n_tup_ins + x.n_tup_upd + x.n_tup_del)::text end as changes
  from pg_stat_xact_user_tables x left join pg_inherits i on i.inhrelid = x.relid
  where x.schemaname = 'public' group by 1`;
