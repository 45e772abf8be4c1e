import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { SnapshotHeader, TableHeader, TableRows } from './snapshot.js';

const name = pg.escapeIdentifier;

export const columnList = ({ columns }: TableHeader) => columns.map(name).join(', ');

/**
 * Loads the rows of a snapshot into empty tables, in the present transaction of `owner`, who owns the tables.
 * Triggers are disabled meanwhile, because the rows that they would write are in the snapshot.
 */
export async function fillTables(
  owner: pg.Client,
  header: SnapshotHeader,
  tables: AsyncIterable<TableRows>,
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
  for await (const { name: table, rows } of tables) {
    await copyInto(
      owner,
      name(table),
      header.tables.find((candidate) => candidate.name === table)!,
      rows,
    );
  }
  for (const table of header.tables) await owner.query(`alter table ${name(table.name)} enable trigger user`);
  for (const { table } of forced) await owner.query(`alter table ${name(table)} force row level security`);
}

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
