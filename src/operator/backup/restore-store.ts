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
import { advanceSequences, columnList, copyInto } from './load.js';
import { restoreAccounts, type Restored } from './restore-accounts.js';
import { refuseUnknownSchema } from './restore-whole.js';
import {
  ACCOUNT_TABLES,
  EXCLUDED_FROM_STORE,
  plainClient,
  type Snapshot,
  type SnapshotHeader,
  STAYING,
  type TableHeader,
} from './snapshot.js';

interface RestoredStore extends Pick<Restored, 'members' | 'uninvited'> {
  id: string;
  name: string;
  rows: number;
  orders: number;
  /** Connects as the role that sees the rows of every store. */
  systemUrl: string;
}

const name = pg.escapeIdentifier;
export const UNIQUE_VIOLATION = '23505';

/**
 * Restores one store of a snapshot into an installation that may have others, in one transaction that does
 * not block other calls. The account of a member is restored if neither the account nor its address exists;
 * an existing account is not changed.
 * @param asNew as a new store beside the first one, with the members that the first one has at present. All
 * modules must be loaded, because each declares its sealed columns
 * @throws OperationError invalid_input if the store exists, if it is not in the snapshot, or if the snapshot
 * is of another version
 */
export async function restoreStore(
  ownerUrl: string,
  encryptionKeys: string[],
  snapshot: Snapshot,
  fileStoreId: string,
  { asNew = false } = {},
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
    await system.query(`select set_config('shop.copying', 'on', true)`);
    await stage(system, snapshot);
    await beginAnew(system);
    const storeId = asNew
      ? await stageAsNew(system, new SecretBox(encryptionKeys), snapshot.header, fileStoreId)
      : fileStoreId;
    const store = await findStaged(system, storeId);
    const { members, uninvited } = asNew
      ? { members: [], uninvited: [] }
      : await restoreAccounts(system, snapshot.header, storeId);
    // The sequences are advanced first, so that rows written by triggers do not take the numbers of rows that
    // are still to be inserted.
    await advanceSequences(owner, snapshot.header);
    // Triggers that wait for the end of the transaction would write after the rows of the file.
    await system.query('set constraints all immediate');
    const counts: Record<string, number> = {};
    const tables = snapshot.header.tables.filter(
      (table) => !(table.name in ACCOUNT_TABLES) && isOfStores(table),
    );
    for (const table of tables) counts[table.name] = await insertRows(system, table, storeId);
    for (const table of tables) await undoTriggers(system, table, storeId);
    // The keys are recorded before others can see the rows: until `keys rotate` has sealed the secrets again,
    // no process may start without these keys.
    await noteKeysInUse(owner, snapshot.header.keys, encryptionKeys);
    await system.query('commit');
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { ...store, rows, orders: counts.orders, members, uninvited, systemUrl };
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

const isOfStores = ({ name: table, columns }: TableHeader) =>
  table === 'stores' ||
  (columns.includes('store_id') && ![...EXCLUDED_FROM_STORE, ...STAYING].includes(table));
const ofStore = ({ name: table }: TableHeader) => (table === 'stores' ? 'id = $1' : 'store_id = $1');

/**
 * Copies the rows of the file into temporary tables, in which SQL can read them. The tables are dropped with
 * the transaction.
 */
export async function stage(system: pg.Client, { header, tables }: Snapshot): Promise<void> {
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

/**
 * Inserts the rows of a table. It first deletes existing rows of the store, which only the triggers of other
 * tables can have written.
 */
export async function insertRows(system: pg.Client, table: TableHeader, storeId: string): Promise<number> {
  await system.query(`delete from ${name(table.name)} where ${ofStore(table)}`, [storeId]);
  const { rowCount } = await system.query(
    `insert into ${name(table.name)} (${columnList(table)}) overriding system value
     select ${columnList(table)} from ${staged(table.name)} where ${ofStore(table)}`,
    [storeId],
  );
  return rowCount!;
}

/**
 * Replaces the rows that triggers have written in the meantime with those of the file, in tables that are
 * maintained by triggers.
 */
async function undoTriggers(system: pg.Client, table: TableHeader, storeId: string): Promise<void> {
  const rowsOf = (source: string) =>
    `select md5(row(${columnList(table)})::text) from ${source} where ${ofStore(table)}`;
  const [here, file] = [rowsOf(name(table.name)), rowsOf(staged(table.name))];
  const { rows } = await system.query<{ differ: boolean }>(
    `select exists (${here} except all ${file}) or exists (${file} except all ${here}) as differ`,
    [storeId],
  );
  if (rows[0].differ) await insertRows(system, table, storeId);
}
