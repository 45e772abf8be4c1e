import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { plainClient, tablesOfStores } from './snapshot.js';

const BATCH = 1_000;
const DEADLOCK = '40P01';
/** Deleted first: from then on nobody gets into the store, and nothing is sent for it. */
const DOORS = ['api_tokens', 'oauth_tokens', 'oauth_grants', 'invitations', 'bots', 'webhook_endpoints'];

/** References of a table to itself that would keep a row from being deleted before another. */
const OWN_REFERENCES = `
  select c.relname as table, a.attname as column from pg_constraint k
  join pg_class c on c.oid = k.conrelid and c.relnamespace = 'public'::regnamespace
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey) and not a.attnotnull
  where k.contype = 'f' and k.conrelid = k.confrelid and k.confdeltype in ('a', 'r')`;

/** The last that is left, in one transaction: without members nobody would know whose accounts these were. */
const LAST = {
  store_members: `delete from store_members where store_id = $1`,
  stores: `delete from stores where id = $1`,
};
/** Accounts that are nobody's member any more, and signed in to this store only. */
const ACCOUNTS = `
  delete from users u where u.id = any($1::uuid[]) and not exists (select from store_members m where m.user_id = u.id)`;

export interface DeletedStore {
  /** Rows of all tables. */
  rows: number;
  accounts: number;
}

/**
 * Deletes everything of a store, few rows a transaction, so that no other store waits. Cut short, it is run again.
 * @param systemUrl of the role that sees the rows of every store
 */
export async function deleteStore(systemUrl: string, storeId: string): Promise<DeletedStore> {
  const client = plainClient(systemUrl);
  try {
    await client.connect();
    // The next batch is found by the index that begins with the store: a scan of the table, or a bitmap of the whole store, would each
    // time come by all that is deleted already.
    await client.query('set enable_seqscan = off');
    await client.query('set enable_bitmapscan = off');
    // A row that refers to another goes before it.
    const tables = (await tablesOfStores(client)).filter((table) => !(table in LAST)).reverse();
    let rows = 0;
    for (const table of DOORS) rows += await empty(client, table, storeId);
    const { rows: references } = await client.query<{ table: string; column: string }>(OWN_REFERENCES);
    for (const { table, column } of references) {
      const name = pg.escapeIdentifier(column);
      await inBatches(client, `update ${quoted(table)} set ${name} = null where ${some(table, `${name} is not null`)}`, storeId);
    }
    // Again, until nothing is left: triggers enter rows on the way, and so do calls that were under way.
    for (let found = 1; found > 0; rows += found) {
      found = 0;
      for (const table of tables) found += await empty(client, table, storeId);
    }
    const last = await deleteLast(client, storeId);
    rows += last.rows;
    for (const table of tables) rows += await empty(client, table, storeId);
    return { rows, accounts: last.accounts };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function deleteLast(client: pg.Client, storeId: string): Promise<DeletedStore> {
  await client.query('begin');
  const { rows: members } = await client.query<{ id: string }>('select user_id as id from store_members where store_id = $1', [
    storeId,
  ]);
  let rows = 0;
  for (const text of Object.values(LAST)) rows += (await client.query(text, [storeId])).rowCount!;
  const { rowCount: accounts } = await client.query(ACCOUNTS, [members.map(({ id }) => id)]);
  await client.query('commit');
  return { rows, accounts: accounts! };
}

const quoted = (table: string) => pg.escapeIdentifier(table);

/** Rows of two partitions may have the same place, so the store is asked for again: all rows of it are to go. */
const some = (table: string, condition = 'true') =>
  `store_id = $1 and ${condition} and ctid = any(array(select ctid from ${quoted(table)} where store_id = $1 and ${condition} limit ${BATCH}))`;

const empty = (client: pg.Client, table: string, storeId: string) =>
  inBatches(client, `delete from ${quoted(table)} where ${some(table)}`, storeId);

/** Rests between two as long as one took. @returns how many rows it changed */
async function inBatches(client: pg.Client, text: string, storeId: string): Promise<number> {
  for (let total = 0; ;) {
    const began = performance.now();
    const changed = await client.query(text, [storeId]).catch((error: { code?: string }) => {
      if (error.code !== DEADLOCK) throw error;
      return null;
    });
    if (changed?.rowCount === 0) return total;
    total += changed?.rowCount ?? 0;
    await sleep(performance.now() - began);
  }
}
