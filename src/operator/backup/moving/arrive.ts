import pg from 'pg';
import { noteKeysInUse } from '../../../platform/database/installation/installation.js';
import { invalidInput } from '../../../platform/errors.js';
import { advanceSequences } from '../load.js';
import { addApps, restoreAccounts } from '../restore-accounts.js';
import { insertRows, stage, UNIQUE_VIOLATION } from '../restore-store.js';
import { ACCOUNT_TABLES, type LiveSnapshot, plainClient } from '../snapshot.js';
import { digestOf } from './digest.js';

/** Who and what gets into a store. These rows arrive last, so that nobody does before the rest is there. */
export const ACCESS: string[] = [
  'store_members',
  'api_tokens',
  'oauth_grants',
  'oauth_tokens',
  'invitations',
  'bots',
];

const name = pg.escapeIdentifier;

/** The row of a store, as JSON. */
export type StoreRow = Record<string, unknown> & { id: string; former_servers: string[] };

export async function rowOf(client: pg.Client, storeId: string): Promise<StoreRow> {
  const { rows } = await client.query<{ row: StoreRow }>(
    'select to_jsonb(s) as row from stores s where id = $1',
    [storeId],
  );
  return rows[0].row;
}

/** Writes the row of a store, whether it is there or not. */
export async function writeRow(client: pg.Client, row: StoreRow): Promise<void> {
  const columns = Object.keys(row);
  const list = columns.map(name).join(', ');
  const values = columns.map((column) => `excluded.${name(column)}`).join(', ');
  await client.query(
    `insert into stores (${list}) select ${list} from jsonb_populate_record(null::stores, $1)
     on conflict (id) do update set (${list}) = row(${values})`,
    [JSON.stringify(row)],
  );
}

/**
 * Lets nobody change the accounts of a store's members until the end of the transaction: a password that was
 * changed before goes along.
 */
export async function lockAccounts(from: pg.Client, storeId: string): Promise<void> {
  for (const [table, id] of Object.entries(ACCOUNT_TABLES))
    await from.query(
      `select from ${name(table)} where ${name(id)} in (
         select user_id from store_members where store_id = $1) for update`,
      [storeId],
    );
}

/**
 * Completes a store whose other rows are there: its members and who else gets into it, and opens it, in one
 * transaction.
 * @param snapshot of the tables of ACCESS
 * @param row the store as it was
 * @param leave lets everybody out where the store was; once it has, only the commit is left
 * @returns how many rows each of these tables has in the store
 * @throws OperationError invalid_input if something that may be there only once is there
 */
export async function arrive(
  urls: { ownerUrl: string; systemUrl: string },
  encryptionKeys: string[],
  snapshot: LiveSnapshot,
  row: StoreRow,
  server: string,
  leave: () => Promise<void>,
): Promise<Record<string, number>> {
  const { header } = snapshot;
  const [owner, system] = [plainClient(urls.ownerUrl), plainClient(urls.systemUrl)];
  try {
    await owner.connect();
    await system.connect();
    await system.query('begin');
    await system.query('set local statement_timeout = 0');
    await stage(system, snapshot);
    const { without } = await restoreAccounts(system, header, row.id);
    await addApps(system, header);
    const tables = header.tables.filter(({ name: table }) => ACCESS.includes(table));
    const counts: Record<string, number> = {};
    for (const table of tables) counts[table.name] = await insertRows(system, table, row.id);
    const different: string[] = [];
    for (const table of tables) {
      const there = await snapshot.digest(table, without);
      const here = await digestOf(system, table, row.id, without);
      if (here.rows !== there.rows || here.sum !== there.sum) different.push(table.name);
    }
    if (different.length > 0)
      throw new Error(`what has arrived is not what was there: ${different.join(', ')}`);
    // The cursors of the feed of changes stay good: they are of the server that the store leaves.
    const formerServers = [...row.former_servers.filter((former) => former !== server), server];
    await writeRow(system, { ...row, read_only_since: null, moved_to: null, former_servers: formerServers });
    await advanceSequences(owner, header);
    await noteKeysInUse(owner, header.keys, encryptionKeys);
    await leave();
    await system.query('commit');
    return Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0));
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== UNIQUE_VIOLATION) throw error;
    throw invalidInput(`something of the store is in the installation there already: ${message}`);
  } finally {
    await system.end().catch(() => undefined);
    await owner.end().catch(() => undefined);
  }
}
