import pg from 'pg';
import { MIGRATIONS } from '../../../migrations/all.js';
import { existingRoles } from '../../platform/database/installation/existing.js';
import { hasTable, noteKeysInUse } from '../../platform/database/installation/installation.js';
import { prepareDatabase } from '../../platform/database/installation/migrate.js';
import { namesOf } from '../../platform/database/installation/migration-runner.js';
import { refuseServiceRole, type RoleUrls } from '../../platform/database/installation/roles.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { invalidInput } from '../../platform/errors.js';
import { stageAsNew, staged } from './clone-store.js';
import { AS_TEXT, type Digest, digestOf } from './digest.js';
import { advanceSequences, columnList, copyInto } from './load.js';
import { addApps, restoreAccounts, type Restored } from './restore-accounts.js';
import { writeSearchDocuments } from './search-documents.js';
import { refuseUnknownSchema } from './restore-whole.js';
import { plainClient, type Snapshot, type SnapshotHeader, type TableHeader } from './snapshot.js';
import { ACCOUNT_TABLES, DERIVED, goes, type Way } from './tables.js';

interface RestoredStore extends Pick<Restored, 'members' | 'uninvited'> {
  id: string;
  name: string;
  /** How many rows each table has of it; tables without any are left out. */
  counts: Record<string, number>;
  /** Connects as the role that sees the rows of every store. */
  systemUrl: string;
}

const name = pg.escapeIdentifier;
const UNIQUE_VIOLATION = '23505';
/** How often what triggers have changed is replaced by what is in the file. */
const MOST_ROUNDS = 4;
/** Many search documents are entered in their index at once; other searches read a little more meanwhile. */
const MANY_DOCUMENTS = `select set_config('gin_pending_list_limit', '8MB', true),
  set_config('work_mem', '64MB', true)`;

/** How a store arrives by a move: closed, until nobody gets into it where it was. */
interface Arrival {
  /** Where it arrives, as its row says until it is open there. */
  place: string;
  /** The server that it leaves: the cursors of its feeds stay good. */
  server: string;
  /** What the rows are where it was. */
  digest(table: TableHeader, without: string[]): Promise<Digest>;
}

/**
 * Restores one store of a snapshot into an installation that may have others, in one transaction that does
 * not block other calls. The account of a member is restored if neither the account nor its address exists;
 * an existing account is not changed.
 * @param options.asNew as a new store beside the first one, with the members that the first one has at
 * present. All modules must be loaded, because each declares its sealed columns
 * @param options.arrival with its connected apps, and with its feeds as they are
 * @throws OperationError invalid_input if the store exists, if it is not in the snapshot, or if the snapshot
 * is of another version
 */
export async function restoreStore(
  ownerUrl: string,
  encryptionKeys: string[],
  snapshot: Snapshot,
  fileStoreId: string,
  { asNew = false, arrival }: { asNew?: boolean; arrival?: Arrival } = {},
): Promise<RestoredStore> {
  refuseServiceRole(ownerUrl);
  refuseUnknownSchema(snapshot.header);
  const { system: systemUrl } = await rolesAt(ownerUrl, encryptionKeys);
  refuseOlder(snapshot.header);
  const [owner, system] = [plainClient(ownerUrl), plainClient(systemUrl)];
  try {
    await owner.connect();
    await system.connect();
    await system.query('begin');
    await system.query('set local statement_timeout = 0');
    await system.query(AS_TEXT);
    await system.query(MANY_DOCUMENTS);
    await system.query(`select set_config('shop.copying', 'on', true)`);
    await stage(system, snapshot);
    await (arrival ? close(system, arrival) : beginAnew(system));
    const storeId = asNew
      ? await stageAsNew(system, new SecretBox(encryptionKeys), snapshot.header, fileStoreId)
      : fileStoreId;
    const store = await findStaged(system, storeId);
    const { members, uninvited, without } = asNew
      ? { members: [], uninvited: [], without: [] }
      : await restoreAccounts(system, snapshot.header, storeId);
    if (arrival) await addApps(system, snapshot.header);
    // The sequences are advanced first, so that rows written by triggers do not take the numbers of rows that
    // are still to be inserted.
    await advanceSequences(owner, snapshot.header);
    // Triggers that wait for the end of the transaction would write after the rows of the file.
    await system.query('set constraints all immediate');
    const tables = snapshot.header.tables.filter((table) => isOfStores(table, arrival ? 'move' : 'backup'));
    // The row of the store says how it arrives, which is not what it was.
    const compared = tables.filter((table) => table.name !== 'stores');
    const expected = arrival
      ? digestsOf(compared, (table) => arrival.digest(table, without))
      : await digestsOf(compared, (table) => digestOf(system, table, storeId, without, staged(table.name)));
    const counts = await enter(system, tables, storeId, expected);
    if (!arrival) await writeSearchDocuments(system, storeId);
    // The keys are recorded before others can see the rows: until `keys rotate` has sealed the secrets again,
    // no process may start without these keys.
    await noteKeysInUse(owner, snapshot.header.keys, encryptionKeys);
    await system.query('commit');
    return { ...store, counts, members, uninvited, systemUrl };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== UNIQUE_VIOLATION) throw error;
    throw invalidInput(
      `something of the store is in this installation already, nothing was changed: ${message}`,
    );
  } finally {
    await system.end().catch(() => undefined);
    await owner.end().catch(() => undefined);
  }
}

/** The roles of an installation, whose tables are made in an empty database. */
export const rolesAt = async (ownerUrl: string, encryptionKeys: string[]): Promise<RoleUrls> =>
  (await hasTables(ownerUrl))
    ? existingRoles(ownerUrl, encryptionKeys, MIGRATIONS)
    : prepareDatabase(ownerUrl, encryptionKeys, MIGRATIONS);

/** Whether the database has tables of the service. */
export async function hasTables(ownerUrl: string): Promise<boolean> {
  const owner = plainClient(ownerUrl);
  await owner.connect();
  return hasTable(owner, 'stores').finally(() => owner.end());
}

function refuseOlder(header: SnapshotHeader): void {
  if (header.migrations.length === namesOf(MIGRATIONS).length) return;
  throw invalidInput(
    'from was made by an older version, whose store does not fit the tables of this one: restore the file ' +
      'into an empty database, ' +
      'which brings it up to date, back the store up from there with --store, and restore that',
  );
}

const isOfStores = ({ name: table, columns }: TableHeader, way: Way) =>
  !(table in ACCOUNT_TABLES) && (table === 'stores' || (columns.includes('store_id') && goes(table, way)));
const ofStore = ({ name: table }: TableHeader) => (table === 'stores' ? 'id = $1' : 'store_id = $1');

/**
 * Copies the rows of the file into temporary tables, in which SQL can read them. The tables are dropped with
 * the transaction.
 */
async function stage(system: pg.Client, { header, tables }: Snapshot): Promise<void> {
  for await (const { name: table, rows } of tables()) {
    const declared = header.tables.find((candidate) => candidate.name === table)!;
    await system.query(
      `create temporary table ${staged(table)} on commit drop as select ${columnList(declared)}
        from ${name(table)} with no data`,
    );
    await copyInto(system, staged(table), declared, rows);
  }
}

/**
 * Makes the restored rows of both feeds older than those of this installation, without changing their order:
 * their transaction numbers are of another server and cannot be compared with those of this one. A move that
 * was under way at that time is none of this store.
 */
async function beginAnew(system: pg.Client): Promise<void> {
  await system.query(
    `update ${staged('stores')} set read_only_since = null, moved_to = null, former_servers = '{}'`,
  );
  for (const rows of [staged('order_events'), staged('record_changes')])
    await system.query(`update ${rows} set epoch = epoch - (select max(epoch) from ${rows})`);
}

/** Lets the store only answer reads until it is open there. Its feeds go on where they were. */
async function close(system: pg.Client, { place, server }: Arrival): Promise<void> {
  await system.query(
    `update ${staged('stores')} set read_only_since = now(), moved_to = $1,
       former_servers = array_append(array_remove(former_servers, $2), $2)`,
    [place, server],
  );
}

async function findStaged(system: pg.Client, storeId: string): Promise<{ id: string; name: string }> {
  const { rows } = await system.query<{ id: string; name: string; is_here: boolean }>(
    `select id, name, exists (select from stores s where s.id = r.id) as is_here from ${staged('stores')} r
      where id::text = $1`,
    [storeId],
  );
  if (!rows[0]) throw invalidInput(`from holds no store ${storeId}`);
  if (rows[0].is_here)
    throw invalidInput(`the store ${storeId} (${rows[0].name}) is in this installation already`);
  return { id: rows[0].id, name: rows[0].name };
}

type Digests = Map<string, Digest>;

async function digestsOf(
  tables: TableHeader[],
  digest: (table: TableHeader) => Promise<Digest>,
): Promise<Digests> {
  const digests: Digests = new Map();
  for (const table of tables) digests.set(table.name, await digest(table));
  return digests;
}

/**
 * Enters the rows of the file, and compares them. Most triggers leave what is copied alone (is_copying());
 * what others have changed is replaced.
 * @param expected what the rows of tables must be, which the other server may digest meanwhile
 * @throws Error that names the tables that still differ after several rounds
 */
async function enter(
  system: pg.Client,
  tables: TableHeader[],
  storeId: string,
  expected: Digests | Promise<Digests>,
): Promise<Record<string, number>> {
  // Whoever is the first to fail says why.
  const [digests] = await Promise.all([expected, insertAll(system, tables, storeId)]);
  const counts: Record<string, number> = {};
  for (let round = 1; ; round++) {
    const different: TableHeader[] = [];
    for (const table of tables) {
      const { rows, sum } = await digestOf(system, table, storeId, []);
      if (rows > 0 && table.name !== DERIVED) counts[table.name] = rows;
      const file = digests.get(table.name);
      if (file && (file.rows !== rows || file.sum !== sum)) different.push(table);
    }
    if (different.length === 0) return counts;
    if (round === MOST_ROUNDS)
      throw new Error(
        `what has arrived is not what was there: ${different.map((table) => table.name).join(', ')}`,
      );
    for (const table of different) await insertRows(system, table, storeId);
  }
}

async function insertAll(system: pg.Client, tables: TableHeader[], storeId: string): Promise<void> {
  for (const table of tables) await insertRows(system, table, storeId);
}

/**
 * Inserts the rows of a table. It first deletes existing rows of the store, which only the triggers of other
 * tables can have written.
 */
async function insertRows(system: pg.Client, table: TableHeader, storeId: string): Promise<void> {
  await system.query(`delete from ${name(table.name)} where ${ofStore(table)}`, [storeId]);
  await system.query(
    `insert into ${name(table.name)} (${columnList(table)}) overriding system value
     select ${columnList(table)} from ${staged(table.name)} where ${ofStore(table)}`,
    [storeId],
  );
}
