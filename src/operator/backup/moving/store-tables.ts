import pg from 'pg';
import { inOrder, LEFT_OUT, REFERENCES, STAYING, TABLES } from '../snapshot.js';

const name = pg.escapeIdentifier;
/** Columns as SQL. @param of a table's name for them, with a full stop */
export const list = (columns: string[], of = '') =>
  columns.map((column) => `${of}${name(column)}`).join(', ');

/** A table with a column for the store. */
export interface StoreTable {
  name: string;
  columns: string[];
  /** The columns as SQL, in types whose values have one hash only if their bytes are equal. */
  hashed: string[];
  /** The columns of its primary key. */
  key: string[];
  keyTypes: string[];
  /** The columns by which a row refers to another one of the table. */
  parent: string[];
}

/** The rows of a store in a table are compared by so many parts, into which their keys fall. */
const PARTS = 16_384;
export const partOf = (table: StoreTable) => `(${keyHashOf(table)} & ${PARTS - 1})::integer`;

/** Functions for the hash of a value together with a seed. Other types are hashed as text. */
const HASHES: Record<string, (value: string, seed: string) => string> = {
  uuid: (value, seed) => `uuid_hash_extended(${value}, ${seed})`,
  bigint: (value, seed) => `hashint8extended(${value}, ${seed})`,
  text: (value, seed) => `hashtextextended(${value}, ${seed})`,
  date: (value, seed) => `hashint4extended(${value} - date '2000-01-01', ${seed})`,
};

/** A hash of a row's key within the store, as SQL. It takes a third of the time of that of a record. */
export const keyHashOf = ({ key, keyTypes }: StoreTable) =>
  key.reduce((seed, column, i) => {
    if (column === 'store_id') return seed;
    const [value, hash] = [name(column), HASHES[keyTypes[i]]];
    return hash ? hash(value, seed) : `hashtextextended(${value}::text, ${seed})`;
  }, '0::bigint');

/** The keys of rows as JSON, in SQL. */
export const keysAsJson = ({ key }: StoreTable) => {
  const fields = key.map((column) => `${pg.escapeLiteral(column)}, ${name(column)}`);
  return `json_agg(json_build_object(${fields.join(', ')}))`;
};

/** A condition for the rows with these keys, each list of them in JSON. */
export const withKeys = ({ name: table, key }: StoreTable, lists: string[]) => {
  const row = `null::${name(table)}`;
  const selects = lists.map(
    (keys) => `select ${list(key, 'k.')} from json_populate_recordset(${row}, ${pg.escapeLiteral(keys)}) k`,
  );
  return `(${list(key)}) in (${selects.join(' union all ')})`;
};

/**
 * The tables that move with a store, in an order in which rows come after those to which they refer.
 * Among tables that may come in any order, those whose triggers write to others come first.
 */
export async function storeTables(client: pg.Client): Promise<StoreTable[]> {
  const { rows: tables } = await client.query<StoreTable>(STORE_TABLES, [[...LEFT_OUT, ...STAYING]]);
  const { rows: references } = await client.query<{ from: string; to: string }>(REFERENCES);
  return inOrder(tables, references);
}

const STORE_TABLES = `
  select t.name, t.columns, x.hashed, coalesce(x.key, '{}') as key,
    coalesce(x."keyTypes", '{}') as "keyTypes", coalesce(x.parent, '{}') as parent
  from (${TABLES}) t join pg_class c on c.oid = to_regclass(quote_ident(t.name))
  cross join lateral (select
    (select array_agg(quote_ident(a.attname) || case when a.atttypid = any('{uuid,text,boolean,smallint,
       integer,bigint,date,timestamptz,bytea}'::regtype[]) then '' else '::text' end order by a.attnum)
     from pg_attribute a where a.attrelid = c.oid and a.attname = any(t.columns)) as hashed,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a, pg_index i
     where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = any(i.indkey)) as key,
    (select array_agg(format_type(a.atttypid, null) order by a.attnum) from pg_attribute a, pg_index i
     where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = any(i.indkey))
      as "keyTypes",
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a, pg_constraint k
     where k.conrelid = c.oid and k.confrelid = c.oid and k.contype = 'f' and a.attrelid = c.oid
       and a.attnum = any(k.conkey) and a.attname <> 'store_id') as parent,
    exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal and g.tgname <> 'fold')
      as writes) x
  where t.has_store order by not x.writes, t.name`;
