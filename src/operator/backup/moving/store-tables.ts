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
  /** The columns by which a row refers to another one of the table. */
  parent: string[];
}

/** The rows of a store in a table are compared, and copied, by so many parts, into which their keys fall. */
const PARTS = 16_384;
export const partOf = ({ key }: StoreTable, of = '') =>
  `(hash_record_extended(row(${list(key, of)}), 0) & ${PARTS - 1})::integer`;

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
  select t.name, t.columns, x.hashed, coalesce(x.key, '{}') as key, coalesce(x.parent, '{}') as parent
  from (${TABLES}) t join pg_class c on c.oid = to_regclass(quote_ident(t.name))
  cross join lateral (select
    (select array_agg(quote_ident(a.attname) || case when a.atttypid = any('{uuid,text,boolean,smallint,
       integer,bigint,date,timestamptz,bytea}'::regtype[]) then '' else '::text' end order by a.attnum)
     from pg_attribute a where a.attrelid = c.oid and a.attname = any(t.columns)) as hashed,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a, pg_index i
     where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = any(i.indkey)) as key,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a, pg_constraint k
     where k.conrelid = c.oid and k.confrelid = c.oid and k.contype = 'f' and a.attrelid = c.oid
       and a.attnum = any(k.conkey) and a.attname <> 'store_id') as parent,
    exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal and g.tgname <> 'fold')
      as writes) x
  where t.has_store order by not x.writes, t.name`;
