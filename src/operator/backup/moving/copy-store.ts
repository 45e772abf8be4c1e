import type pg from 'pg';
import { MOVED_TO } from '../../../platform/errors.js';
import { databaseOf, hostsOf } from '../../../platform/config/database-url.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { raiseEpochAbove } from '../event-epochs.js';
import { plainClient, withSnapshot } from '../snapshot.js';
import { ACCESS, arrive, lockAccounts, rowOf, type StoreRow, writeRow } from './arrive.js';
import * as fence from './fence.js';
import type { Ends } from './copy-rows.js';
import { storeTables, type StoreTable } from './store-tables.js';
import { leaveRoom, prepareEnds, type Since, synchronise } from './synchronise.js';

/** The installation that the store leaves, whose roles are known. */
export interface Source {
  ownerUrl: string;
  /** Connects as the role that sees the rows of every store. */
  directUrl: string;
  encryptionKeys: string[];
  log: Logger;
}

/** A store on its way. */
export interface Move {
  source: Source;
  from: pg.Client;
  to: pg.Client;
  targetUrl: string;
  systemUrl: string;
  place: string;
  storeId: string;
}

/** Host and database of an address, without its login. */
export const placeOf = (url: string) => `${hostsOf(url).join(',')}/${databaseOf(url)}`;
/** Why it is suspended where it was. */
export const reasonOf = (place: string) => MOVED_TO + place;

/** What was copied. */
export interface CopiedStore {
  /** How many rows each table has, the same at both ends. */
  counts: Record<string, number>;
  /** How many rows were read whole while the store was read-only: those that had just changed. */
  comparedLast: number;
}

export async function copyStore(move: Move): Promise<CopiedStore> {
  const { from, to, targetUrl, storeId, place } = move;
  const [owner, here] = [plainClient(targetUrl), plainClient(move.source.ownerUrl)];
  const ends = { from, to, owner };
  try {
    await Promise.all([owner.connect(), here.connect()]);
    await leaveRoom(here, owner);
    await fence.refuseSending(from, storeId);
    const tables = (await storeTables(from)).filter(({ name }) => !ACCESS.includes(name));
    await prepareEnds(ends);
    await writeRow(to, { ...(await originalRow(move)), read_only_since: new Date(), moved_to: place });
    const since = await copyWhileOpen(ends, tables, storeId);
    // It may have to wait there, so it is done once while the store still takes changes.
    await raiseEpoch(from, targetUrl);
    await fence.stopSending(from, storeId, place);
    const last = await synchronise(ends, tables, storeId, since);
    await fence.makeReadOnly(from, storeId);
    const server = await raiseEpoch(from, targetUrl);
    const { counts, compared } = await synchronise(ends, tables, storeId, last.since);
    return { counts: { stores: 1, ...counts, ...(await change(move, server)) }, comparedLast: compared };
  } finally {
    await Promise.all([owner, here].map((client) => client.end().catch(() => undefined)));
  }
}

/** So many changed rows are copied in a moment. */
const FEW = 2_000;
const MOST_PASSES = 6;

/** Copies and compares everything, and then what has changed, until little changes while it copies. */
async function copyWhileOpen(ends: Ends, tables: StoreTable[], storeId: string): Promise<Since> {
  let { changed, since } = await synchronise(ends, tables, storeId, null);
  for (let pass = 2; changed > FEW && pass <= MOST_PASSES; pass++)
    ({ changed, since } = await synchronise(ends, tables, storeId, since));
  return since;
}

/**
 * Lets everybody out of the store here, and into it there. Accounts do not change meanwhile.
 * @returns how many rows the tables of access have
 */
async function change(move: Move, server: string): Promise<Record<string, number>> {
  const { source, from, targetUrl, systemUrl, storeId, place } = move;
  await from.query('begin');
  try {
    await lockAccounts(from, storeId);
    const row = await originalRow(move);
    const leave = async () => {
      await fence.suspend(from, storeId, reasonOf(place));
      await from.query('commit');
    };
    const urls = { ownerUrl: targetUrl, systemUrl };
    return await withSnapshot(
      source,
      storeId,
      (snapshot) => arrive(urls, source.encryptionKeys, snapshot, row, server, leave),
      { apps: true, only: ACCESS },
    );
  } finally {
    await from.query('rollback');
  }
}

/** The row of the store as it was before the move, also if that has suspended it already. */
async function originalRow({ from, to, storeId, place }: Move): Promise<StoreRow> {
  const row = await rowOf(from, storeId);
  if (row.suspended_reason !== reasonOf(place)) return row;
  const { suspended_at: at, suspended_reason: reason } = await rowOf(to, storeId);
  return { ...row, suspended_at: at, suspended_reason: reason };
}

/** Lets the events of the store come before those that are written there. @returns the server they are of */
async function raiseEpoch(from: pg.Client, targetUrl: string): Promise<string> {
  const { rows } = await from.query<{ server: string; epoch: number }>(
    'select order_event_server() as server, order_event_epoch() as epoch',
  );
  await raiseEpochAbove(targetUrl, rows[0].epoch);
  return rows[0].server;
}
