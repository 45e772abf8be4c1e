import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { RowOf } from '../../../platform/database/statement.js';
import { runOn } from '../../../platform/database/system.js';
import { invalidInput } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/schema/formats.js';
import * as sql from './fence.statements.js';

/** What a move knows of a store at one of its sides. */
export type StoreState = RowOf<typeof sql.GET_STATE>;

const POLL_MS = 20;
/** How long a move waits for what is under way in the store. */
const PATIENCE_MS = 60_000;
const LOCK_TIMEOUT = '55P03';

/** @returns null if there is no such store */
export async function stateOf(client: pg.Client, storeId: string): Promise<StoreState | null> {
  if (!isUuid(storeId)) return null;
  const [state] = await runOn(client, sql.GET_STATE, { storeId });
  return state ?? null;
}

/** @throws OperationError invalid_input if a campaign is being sent */
async function refuseSending(client: pg.Client, storeId: string): Promise<void> {
  const [campaign] = await runOn(client, sql.IS_CAMPAIGN_SENT, { storeId });
  if (campaign) throw invalidInput('the store is sending a campaign: wait until it has been sent');
}

/**
 * Keeps deliveries from being sent, and waits for those that are being sent. @throws OperationError
 * invalid_input if a campaign is being sent, or if a delivery takes too long
 */
export async function stopSending(client: pg.Client, storeId: string, place: string): Promise<void> {
  await refuseSending(client, storeId);
  await runOn(client, sql.NOTE_PLACE, { storeId, place });
  await othersEnded(client);
  await until('a delivery of the store is under way for too long', async () => {
    const [delivery] = await runOn(client, sql.IS_DELIVERY_SENT, { storeId });
    return !delivery;
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
    await runOn(client, sql.LOCK_STORE, { storeId });
    await runOn(client, sql.MAKE_READ_ONLY, { storeId });
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
  const [{ transactions }] = await runOn(client, sql.OTHER_TRANSACTIONS);
  await until('a statement of the service takes too long', async () => {
    const [left] = await runOn(client, sql.IS_ONE_LEFT, { transactions });
    return !left;
  });
}

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
  await runOn(client, sql.REOPEN, { storeId, suspendedAt, suspendedReason });
}

/** Opens the store where it has arrived. */
export async function open(client: pg.Client, storeId: string): Promise<void> {
  await runOn(client, sql.OPEN, { storeId });
}

/** Refuses everybody where the store was. */
export async function suspend(client: pg.Client, storeId: string, reason: string): Promise<void> {
  await runOn(client, sql.SUSPEND, { storeId, reason });
}

/** How long the store has not changed, in milliseconds. */
export async function readOnlyMs(client: pg.Client, storeId: string): Promise<number> {
  const [{ ms }] = await runOn(client, sql.READ_ONLY_MS, { storeId });
  return ms;
}
