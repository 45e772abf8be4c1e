import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { invalidInput } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/schema/formats.js';

/** What a move knows of a store at one of its sides. */
export interface StoreState {
  name: string;
  readOnlySince: Date | null;
  movedTo: string | null;
  suspendedAt: Date | null;
  suspendedReason: string | null;
}

const POLL_MS = 20;
/** How long a move waits for what is under way in the store. */
const PATIENCE_MS = 60_000;
const LOCK_TIMEOUT = '55P03';

/** @returns null if there is no such store */
export async function stateOf(client: pg.Client, storeId: string): Promise<StoreState | null> {
  if (!isUuid(storeId)) return null;
  const { rows } = await client.query<StoreState>(
    `select name, read_only_since as "readOnlySince", moved_to as "movedTo", suspended_at as "suspendedAt",
       suspended_reason as "suspendedReason" from stores where id = $1`,
    [storeId],
  );
  return rows[0] ?? null;
}

/** @throws OperationError invalid_input if a campaign is being sent */
export async function refuseSending(client: pg.Client, storeId: string): Promise<void> {
  const { rowCount: campaigns } = await client.query(
    `select from campaigns where store_id = $1 and status = 'sending' and lease_until > now()`,
    [storeId],
  );
  if (campaigns) throw invalidInput('the store is sending a campaign: wait until it has been sent');
}

/**
 * Keeps deliveries from being sent, and waits for those that are being sent. @throws OperationError
 * invalid_input if a campaign is being sent, or if a delivery takes too long
 */
export async function stopSending(client: pg.Client, storeId: string, place: string): Promise<void> {
  await refuseSending(client, storeId);
  await client.query('update stores set moved_to = $2 where id = $1', [storeId, place]);
  await othersEnded(client);
  await until('a delivery of the store is under way for too long', async () => {
    const { rowCount } = await client.query(
      `select from webhook_deliveries where store_id = $1 and status = 'pending' and lease_until > shop_now()
       limit 1`,
      [storeId],
    );
    return !rowCount;
  });
}

/**
 * Lets the store only answer reads, once every transaction that may change something in it has ended
 * (enter_store). @throws OperationError invalid_input if one takes too long; nothing is changed then
 */
export async function makeReadOnly(client: pg.Client, storeId: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '10s'`);
    await client.query(`select pg_advisory_xact_lock(hashtextextended('store:' || $1::uuid, 0))`, [storeId]);
    await client.query('update stores set read_only_since = coalesce(read_only_since, now()) where id = $1', [
      storeId,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: string }).code !== LOCK_TIMEOUT) throw error;
    throw invalidInput('a call that changes the store takes long: try again later');
  }
  await othersEnded(client);
}

/** Waits for the end of all transactions of the system role that may not have seen the last change. */
async function othersEnded(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transactions: string[] | null }>(
    `select array_agg(l.virtualtransaction) as transactions ${OTHERS}`,
  );
  const before = rows[0].transactions ?? [];
  await until('a statement of the service takes too long', async () => {
    const { rowCount } = await client.query(`select ${OTHERS} and l.virtualtransaction = any($1) limit 1`, [
      before,
    ]);
    return !rowCount;
  });
}

/** A backup only reads. */
const OTHERS = `from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and a.datname = current_database()
    and a.usename = current_user and a.application_name <> 'shop-backup'`;

async function until(otherwise: string, isOver: () => Promise<boolean>): Promise<void> {
  for (const began = performance.now(); !(await isOver()); await sleep(POLL_MS))
    if (performance.now() - began > PATIENCE_MS) throw invalidInput(`${otherwise}: try again later`);
}

/** Opens the store again where it was. */
export async function reopen(
  client: pg.Client,
  storeId: string,
  { suspendedAt, suspendedReason }: Pick<StoreState, 'suspendedAt' | 'suspendedReason'>,
): Promise<void> {
  await client.query(
    `update stores set read_only_since = null, moved_to = null, suspended_at = $2, suspended_reason = $3
     where id = $1`,
    [storeId, suspendedAt, suspendedReason],
  );
}

/** Refuses everybody where the store was. */
export async function suspend(client: pg.Client, storeId: string, reason: string): Promise<void> {
  await client.query(
    `update stores set suspended_at = coalesce(suspended_at, now()), suspended_reason = $2 where id = $1`,
    [storeId, reason],
  );
}

/** How long the store has not changed, in milliseconds. */
export async function readOnlyMs(client: pg.Client, storeId: string): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(
    `select round(extract(epoch from clock_timestamp() - read_only_since) * 1000)::float8 as ms from stores
     where id = $1`,
    [storeId],
  );
  return rows[0].ms;
}
