import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { forgetTokensOf } from '../../platform/auth/token-registry.js';
import { isDeadlock } from '../../platform/database/connections/connection.js';
import { systemStatement } from '../../platform/database/statement.js';
import { runOn } from '../../platform/database/system.js';
import type { Logger } from '../../platform/logging/logger.js';
import { plainClient, tablesOfStores } from './snapshot.js';

const BATCH = 1_000;
/** The tables that are emptied first. After that nobody can access the store, and nothing is sent for it. */
const ACCESS_TABLES = [
  'api_tokens',
  'oauth_tokens',
  'oauth_grants',
  'invitations',
  'bots',
  'webhook_endpoints',
];

/** The references of a table to itself that prevent a row from being deleted before another. */
const SELF_REFERENCES = `
  select c.relname as table, a.attname as column from pg_constraint k
  join pg_class c on c.oid = k.conrelid and c.relnamespace = 'public'::regnamespace
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey) and not a.attnotnull
  where k.contype = 'f' and k.conrelid = k.confrelid and k.confdeltype in ('a', 'r')`;

/**
 * The last tables, whose rows are deleted in one transaction: without the members, the accounts to delete
 * could no longer be determined.
 */
const LAST_EMPTIED = ['store_members', 'stores'];
const DELETE_MEMBERS = systemStatement(
  'delete_store_members',
  `delete from store_members where store_id = $storeId returning user_id`,
);
/**
 * A reason that it has stays. One that moves, or was moved away, lets nobody in anyway, and what it is
 * suspended for is what an undone move gives back.
 */
const CLOSE_STORE = systemStatement(
  'close_deleted_store',
  `update stores set suspended_at = coalesce(suspended_at, now()),
     suspended_reason = coalesce(suspended_reason, 'it is being deleted')
   where id = $storeId and moved_to is null`,
);
const DELETE_STORE = systemStatement('delete_store', `delete from stores where id = $storeId returning id`);
/** Deletes those accounts that are not members of any store. */
const DELETE_ACCOUNTS = systemStatement(
  'delete_store_accounts',
  `delete from users u where u.id = any($userIds)
    and not exists (select from store_members m where m.user_id = u.id) returning id`,
);

/** How many rows there are, by table. */
export type Counts = Record<string, number>;

interface DeletedStore {
  /** The number of deleted rows in all tables of stores. */
  rows: number;
  accounts: number;
  /** How many rows each table had before and after; tables without any are left out. */
  before: Counts;
  after: Counts;
}

/**
 * Deletes everything of a store, with few rows in each transaction, so that other stores do not have to wait.
 * The processes of the installation forget its tokens as soon as they are gone. If it is interrupted, it can
 * be run again.
 * @param systemUrl the URL of the role that sees the rows of every store
 * @param begin is told how many rows there are before any is deleted, and returns how many there were before
 * the first run, if an earlier one was interrupted
 */
export async function deleteStore(
  systemUrl: string,
  storeId: string,
  log: Logger,
  begin: (found: Counts) => Promise<Counts> = async (found) => found,
): Promise<DeletedStore> {
  const client = plainClient(systemUrl);
  try {
    await client.connect();
    // The next batch must be found with the index that begins with the store. A scan of the table, or a
    // bitmap of the whole store, would read all deleted rows again each time.
    await client.query('set enable_seqscan = off');
    await client.query('set enable_bitmapscan = off');
    // Rows are deleted before the rows to which they refer.
    const tables = (await tablesOfStores(client)).filter((table) => !LAST_EMPTIED.includes(table)).reverse();
    const before = await begin(await countRows(client, storeId));
    let rows = 0;
    await runOn(client, CLOSE_STORE, { storeId });
    for (const table of ACCESS_TABLES) rows += await emptyTable(client, table, storeId);
    await forgetTokensOf(storeId, systemUrl, log);
    const { rows: references } = await client.query<{ table: string; column: string }>(SELF_REFERENCES);
    for (const { table, column } of references) {
      const name = pg.escapeIdentifier(column);
      const rest = batchOf(table, `${name} is not null`);
      await inBatches(client, `update ${quoted(table)} set ${name} = null where ${rest}`, storeId);
    }
    // The tables are emptied until nothing is left, because triggers and calls that were under way may add
    // rows in the meantime.
    for (let found = 1; found > 0; rows += found) {
      found = 0;
      for (const table of tables) found += await emptyTable(client, table, storeId);
    }
    const last = await deleteLast(client, storeId);
    rows += last.rows;
    for (const table of tables) rows += await emptyTable(client, table, storeId);
    return { rows, accounts: last.accounts, before, after: await countRows(client, storeId) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** How many rows each table has of the store; tables without any are left out. */
export async function countRows(client: pg.Client, storeId: string): Promise<Counts> {
  const counts: Counts = {};
  for (const table of ['stores', ...(await tablesOfStores(client))]) {
    const column = table === 'stores' ? 'id' : 'store_id';
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::float8 as n from ${quoted(table)} where ${column} = $1`,
      [storeId],
    );
    if (rows[0].n > 0) counts[table] = rows[0].n;
  }
  return counts;
}

async function deleteLast(
  client: pg.Client,
  storeId: string,
): Promise<Pick<DeletedStore, 'rows' | 'accounts'>> {
  await client.query('begin');
  const members = await runOn(client, DELETE_MEMBERS, { storeId });
  const stores = await runOn(client, DELETE_STORE, { storeId });
  const userIds = members.map(({ user_id: userId }) => userId);
  const accounts = await runOn(client, DELETE_ACCOUNTS, { userIds });
  await client.query('commit');
  return { rows: members.length + stores.length, accounts: accounts.length };
}

const quoted = (table: string) => pg.escapeIdentifier(table);

/**
 * The condition for a batch of rows. Rows in two partitions may have the same ctid, so the store is compared
 * again; a row of the store that matches by chance is to be deleted anyway.
 */
const batchOf = (table: string, condition = 'true') =>
  `store_id = $1 and ${condition} and ctid = any(array(
    select ctid from ${quoted(table)} where store_id = $1 and ${condition} limit ${BATCH}))`;

const emptyTable = (client: pg.Client, table: string, storeId: string) =>
  inBatches(client, `delete from ${quoted(table)} where ${batchOf(table)}`, storeId);

/**
 * Runs the statement until it changes nothing, and pauses after each batch for as long as it took.
 * @returns the number of changed rows
 */
async function inBatches(client: pg.Client, text: string, storeId: string): Promise<number> {
  for (let total = 0; ;) {
    const began = performance.now();
    const changed = await client.query(text, [storeId]).catch((error: unknown) => {
      if (!isDeadlock(error)) throw error;
      return null;
    });
    if (changed?.rowCount === 0) return total;
    total += changed?.rowCount ?? 0;
    await sleep(performance.now() - began);
  }
}
