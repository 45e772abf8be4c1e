import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { Client } from '../../platform/database/connections/connection.js';
import { appliedMigrations, keysInUse } from '../../platform/database/installation/installation.js';
import { missingAccess, refuseServiceRole } from '../../platform/database/installation/roles.js';
import { invalidInput, noSuchStore } from '../../platform/errors.js';
import { isUuid } from '../../platform/schema/formats.js';
import { AS_TEXT, type Digest, digestOf } from './digest.js';
import { ACCOUNT_TABLES, APPS, goes, leftOut, type Way } from './tables.js';

export interface TableHeader {
  name: string;
  columns: string[];
  rows: number;
}

/** The description of a snapshot, which comes before its rows. */
export interface SnapshotHeader {
  createdAt: string;
  /** The names of the applied migrations, in order. */
  migrations: string[];
  /** The fingerprints of the keys with which secrets are sealed. */
  keys: string[];
  /** The only store of the snapshot; null if the snapshot has everything. */
  store: { id: string; name: string } | null;
  /** The tables, in an order in which rows come after those to which they refer. */
  tables: TableHeader[];
  /** The last values of the identity columns. */
  sequences: { table: string; column: string; last: string }[];
}

export interface TableRows {
  name: string;
  /** The rows in COPY's text format, one row on each line, in pieces of any length. */
  rows: AsyncIterable<Buffer>;
}

/** A consistent copy of a database, table by table, in the order of the header. */
export interface Snapshot {
  header: SnapshotHeader;
  tables(): AsyncIterable<TableRows>;
}

/** A snapshot that is read from the database, where its rows can still be asked about. */
export interface LiveSnapshot extends Snapshot {
  /** @param without the ids of members who do not go along */
  digest(table: TableHeader, without: string[]): Promise<Digest>;
}

/**
 * Runs `work` with the present rows. Rows that are written in the meantime are not visible.
 * @param urls ownerUrl reads the catalog; the role of directUrl sees the rows of every store, which forced
 * row-level security hides even from the owner of the tables
 * @param storeId limits the snapshot to this store and the accounts of its members; null for everything
 * @param way what the snapshot of a store is for
 */
export async function withSnapshot<Result>(
  urls: { ownerUrl: string; directUrl: string },
  storeId: string | null,
  work: (snapshot: LiveSnapshot) => Promise<Result>,
  way: Way = 'backup',
): Promise<Result> {
  refuseServiceRole(urls.ownerUrl);
  const owner = plainClient(urls.ownerUrl);
  let system = owner;
  try {
    await owner.connect();
    await owner.query('begin isolation level repeatable read read only');
    // To share what one sees is a file of the server's, for which a full disk has no room.
    if (!(await isSuperuser(owner))) {
      system = plainClient(urls.directUrl);
      await system.connect();
      await share(owner, system);
    }
    await system.query(AS_TEXT);
    await mustSeeEveryRow(owner);
    const header = await readHeader(owner, system, storeId, way);
    return await work({
      header,
      tables: () => readTables(system, header),
      digest: (table, without) => digestOf(system, table, header.store!.id, without),
    });
  } finally {
    await system.end().catch(() => undefined);
    await owner.end().catch(() => undefined);
  }
}

/** A superuser, such as the owner of the embedded database, sees every row. */
async function isSuperuser(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    'select rolsuper as is from pg_roles where rolname = current_user',
  );
  return rows[0].is;
}

/** Lets another connection see exactly what this transaction sees. */
async function share(owner: pg.Client, other: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ id: string }>('select pg_export_snapshot() as id');
  await other.query('begin isolation level repeatable read read only');
  await other.query('set local statement_timeout = 0');
  await other.query(`set transaction snapshot ${pg.escapeLiteral(rows[0].id)}`);
}

/** A connection whose statements have no time limit. */
export function plainClient(url: string): pg.Client {
  return new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'shop-backup',
  });
}

/**
 * Checks the policies, because a role without a policy on a table sees no rows and gets no error, so the
 * backup would lack them.
 */
async function mustSeeEveryRow(owner: pg.Client): Promise<void> {
  const missing = await missingAccess(owner);
  if (missing.length > 0)
    throw invalidInput(
      `grants or policies are not what the schema says, and rows would be missing (${missing.join('; ')}): ` +
        'start the service, or run shop migrate',
    );
}

async function readHeader(
  owner: pg.Client,
  system: pg.Client,
  storeId: string | null,
  way: Way,
): Promise<SnapshotHeader> {
  const store = storeId === null ? null : await findStore(system, storeId);
  const { rows: found } = await owner.query<{ name: string; columns: string[]; has_store: boolean }>(TABLES, [
    leftOut(way),
  ]);
  const { rows: references } = await owner.query<{ from: string; to: string }>(REFERENCES);
  const taken = found.filter(
    ({ name, has_store: hasStore }) =>
      !store ||
      (hasStore && goes(name, way)) ||
      (name === APPS && way === 'move') ||
      name === 'stores' ||
      name in ACCOUNT_TABLES,
  );
  const tables: TableHeader[] = [];
  for (const { name, columns } of inOrder(taken, references)) {
    const { rows } = await system.query<{ n: string }>(
      `select count(*) as n from ${pg.escapeIdentifier(name)} ${where(name, store)}`,
    );
    tables.push({ name, columns, rows: Number(rows[0].n) });
  }
  const { rows: sequences } = await owner.query<{ table: string; column: string; sequence: string }>(
    SEQUENCES,
  );
  const positions: SnapshotHeader['sequences'] = [];
  for (const { table, column, sequence } of sequences) {
    const { rows } = await owner.query<{ last: string }>(
      `select case when is_called then last_value else last_value - 1 end::text as last from ${sequence}`,
    );
    positions.push({ table, column, last: rows[0].last });
  }
  const [migrations, keys] = [await appliedMigrations(owner), await keysInUse(owner)];
  return { createdAt: new Date().toISOString(), migrations, keys, store, tables, sequences: positions };
}

async function findStore(system: pg.Client, id: string): Promise<{ id: string; name: string }> {
  if (!isUuid(id)) throw noSuchStore();
  const { rows } = await system.query<{ id: string; name: string }>(
    'select id, name from stores where id = $1',
    [id],
  );
  if (!rows[0]) throw noSuchStore();
  return rows[0];
}

/** @param store has an id that was read from the database and is therefore a UUID */
function where(table: string, store: SnapshotHeader['store']): string {
  if (!store) return '';
  const id = pg.escapeLiteral(store.id);
  if (table === 'stores') return `where id = ${id}`;
  if (table === APPS) return `where id in (select client_id from oauth_grants where store_id = ${id})`;
  const account = ACCOUNT_TABLES[table];
  return account
    ? `where ${account} in (select user_id from store_members where store_id = ${id})`
    : `where store_id = ${id}`;
}

async function* readTables(system: pg.Client, header: SnapshotHeader): AsyncGenerator<TableRows> {
  for (const { name, columns } of header.tables) {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const query = `copy (select ${list} from ${pg.escapeIdentifier(name)} ${where(name, header.store)}) to
      stdout`;
    yield { name, rows: system.query(copyTo(query)) as Readable };
  }
}

/**
 * The tables with a column for the store, in an order in which rows come after those to which they refer. New
 * tables are included automatically, because the names come from the catalog.
 */
export async function tablesOfStores(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string; has_store: boolean }>(TABLES, [
    leftOut('backup'),
  ]);
  const { rows: references } = await client.query<{ from: string; to: string }>(REFERENCES);
  return inOrder(
    tables.filter(({ has_store: hasStore }) => hasStore),
    references,
  ).map(({ name }) => name);
}

/**
 * Sorts tables so that referenced ones come first. @throws Error if tables refer to each other in a circle
 */
function inOrder<Table extends { name: string }>(
  tables: Table[],
  references: { from: string; to: string }[],
): Table[] {
  const waiting = new Map(tables.map((table) => [table.name, table]));
  const ordered: Table[] = [];
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(
      ({ name }) => !references.some(({ from, to }) => from === name && waiting.has(to)),
    );
    if (!next) throw new Error(`tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`);
    waiting.delete(next.name);
    ordered.push(next);
  }
  return ordered;
}

const OURS = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
  and d.deptype = 'e')`;

const TABLES = `
  select c.relname as name,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'store_id'
    and not a.attisdropped) as has_store,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c where ${OURS} and not c.relname = any($1) order by 1`;

/**
 * References between tables. References of a table to itself are left out, because they are checked only at
 * the end of its COPY.
 */
const REFERENCES = `
  select c.relname as from, t.relname as to from pg_constraint k join pg_class c on c.oid = k.conrelid
  join pg_class t on t.oid = k.confrelid where ${OURS} and k.contype = 'f' and k.conrelid <> k.confrelid`;

const SEQUENCES = `
  select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname)
    as sequence
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> '' where ${OURS}
    order by 1, 2`;
