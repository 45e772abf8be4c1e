import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { SnapshotHeader, TableHeader, TableRows } from './snapshot.js';

const name = pg.escapeIdentifier;

export const columnList = ({ columns }: TableHeader) => columns.map(name).join(', ');

/**
 * Loads the rows of a snapshot into empty tables, in the present transaction of `owner`, who owns the tables.
 * Triggers are disabled meanwhile, because the rows that they would write are in the snapshot. Keys, indexes
 * and references are made from the rows: that takes less than half of the time of entering every row in them.
 * @param finish is run while the owner still sees the rows
 */
export async function fillTables(
  owner: pg.Client,
  header: SnapshotHeader,
  tables: AsyncIterable<TableRows>,
  finish: () => Promise<void>,
): Promise<void> {
  const { rows: forced } = await owner.query<{ table: string }>(
    `select relname as table from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity
      and relkind in ('r', 'p')`,
  );
  // COPY cannot write to a table with row-level security, which is also forced for the owner. Others cannot
  // see the rows before the commit.
  for (const { table } of forced) await owner.query(`alter table ${name(table)} no force row level security`);
  for (const table of header.tables)
    await owner.query(`alter table ${name(table.name)} disable trigger user`);
  const references = await remove(owner, REFERENCES);
  for await (const { name: table, rows } of tables) {
    const declared = header.tables.find((candidate) => candidate.name === table)!;
    const indexes = declared.rows > 0 ? await remove(owner, INDEXES, [name(table)]) : '';
    await copyInto(owner, name(table), declared, rows);
    await owner.query(indexes);
  }
  // Row-level security that is forced would hide the rows that a new reference must be checked against.
  await owner.query(references);
  for (const table of header.tables) await owner.query(`alter table ${name(table.name)} enable trigger user`);
  await finish();
  for (const { table } of forced) await owner.query(`alter table ${name(table)} force row level security`);
}

/** Removes what the query finds. @returns the statements that make it again */
async function remove(owner: pg.Client, query: string, values: string[] = []): Promise<string> {
  const { rows } = await owner.query<{ removal: string; making: string }>(query, values);
  await owner.query(rows.map(({ removal }) => removal).join(';'));
  return rows.map(({ making }) => making).join(';');
}

/** Constraints of a partitioned table bring those of its partitions along. */
const CONSTRAINTS = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as removal,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      as making
  from pg_constraint where connamespace = 'public'::regnamespace and conparentid = 0`;
const REFERENCES = `${CONSTRAINTS} and contype = 'f'`;
/** The indexes of a table: first those of its primary and unique keys. */
const INDEXES = `
  ${CONSTRAINTS} and contype in ('p', 'u') and conrelid = $1::regclass
  union all
  select format('drop index %s', indexrelid::regclass),
    -- The definition of a partitioned index is that of the index alone, without those of the partitions.
    replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
  from pg_index where indrelid = $1::regclass
    and not exists (select from pg_constraint k where k.conindid = indexrelid and k.contype in ('p', 'u'))`;

/** Copies rows into a table. @throws Error if the number of rows differs from that in the header */
export async function copyInto(
  client: pg.Client,
  target: string,
  table: TableHeader,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const copy = client.query(copyFrom(`copy ${target} (${columnList(table)}) from stdin`));
  await pipeline(Readable.from(rows, { objectMode: false }), copy);
  if (copy.rowCount !== table.rows)
    throw new Error(`${table.name}: ${copy.rowCount} rows instead of ${table.rows}`);
}

/**
 * Continues identity columns from their last value in the snapshot, or from that of this database if it is
 * higher.
 */
export async function advanceSequences(owner: pg.Client, { sequences }: SnapshotHeader): Promise<void> {
  for (const { table, column, last } of sequences) {
    const { rows } = await owner.query<{ sequence: string }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      [name(table), column],
    );
    await owner.query(
      `select setval($1, greatest($2::bigint, case when is_called then last_value else last_value - 1 end))
        from ${rows[0].sequence}
       where greatest($2::bigint, case when is_called then last_value else last_value - 1 end) > 0`,
      [rows[0].sequence, last],
    );
  }
}
