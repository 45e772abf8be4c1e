import type pg from 'pg';
import { refuseUnreachable } from '../../../platform/database/installation/installation.js';
import { refuseServiceRole } from '../../../platform/database/installation/roles.js';
import { invalidInput, MOVED_TO, noSuchStore } from '../../../platform/errors.js';
import { wasMovedAway } from '../../../platform/store/call.js';
import { countRows, deleteStore } from '../delete-store.js';
import { raiseEpochAbove } from '../event-epochs.js';
import { hasTables, restoreStore } from '../restore-store.js';
import { type LiveSnapshot, withSnapshot } from '../snapshot.js';
import { ACCOUNT_TABLES } from '../tables.js';
import {
  notAmongMembers,
  placeOf,
  refuseConflicts,
  type Source,
  there,
  type Uninvited,
  withClients,
} from './both-ends.js';
import * as fence from './fence.js';

/** A store on its way. */
interface Move {
  source: Source;
  from: pg.Client;
  to: pg.Client;
  targetUrl: string;
  systemUrl: string;
  place: string;
  storeId: string;
}

/** Why it is suspended where it was. */
const reasonOf = (place: string) => MOVED_TO + place;

interface Moved {
  id: string;
  name: string;
  /** Host and database. */
  movedTo: string;
  /** The rows of each table, equal on both sides. */
  counts: Record<string, number>;
  /** Since when nothing changed in it, by which a move is known. */
  readOnlySince: Date;
  readOnlyMs: number;
  /** Who have an account there, which is not the one that they had here. */
  uninvited: Uninvited[];
  /** Connects as the role that sees the rows of every store there. */
  systemUrl: string;
}

/**
 * Moves a store to another installation by the rows that a backup of it would have. It is in one of these
 * states, each of which is committed before the next:
 *
 * 1. Nothing is sent for it any more, and what was being sent has ended (`moved_to`).
 * 2. It only answers reads (`read_only_since`), and no transaction that may change it is under way.
 * 3. It is there too, with all its rows, compared, and only answers reads there (`moved_to` of the place
 *    where it is).
 * 4. It is suspended here.
 * 5. It is open there.
 *
 * Before the fourth, an interrupted move begins anew when it is run again; from then on only the last step is
 * left. Until the fifth it can be undone.
 *
 * @throws OperationError invalid_input if it cannot be moved; the store is open then as it was, unless the
 * message says otherwise
 */
export async function moveStore(source: Source, targetUrl: string, storeId: string): Promise<Moved> {
  const place = placeOf(targetUrl);
  refuseServiceRole(targetUrl);
  return withClients(source, await there(source, targetUrl), async (from, to, systemUrl) => {
    const state = await fence.stateOf(from, storeId);
    if (!state) throw noSuchStore();
    if (state.movedTo !== null && state.movedTo !== place)
      throw invalidInput(`the store is on its way to ${state.movedTo}: move it there, or undo that first`);
    const arrived = await fence.stateOf(to, storeId);
    await refuseUnlessArriving(to, storeId, place, state, arrived);
    let counts: Record<string, number> | null = null;
    if (state.suspendedReason !== reasonOf(place)) {
      if (arrived) await deleteStore(systemUrl, storeId, source.log);
      await refuseConflicts(from, to, storeId);
      counts = await carryOrUndo({ source, from, to, targetUrl, systemUrl, place, storeId });
    }
    await fence.open(to, storeId);
    const { readOnlySince } = (await fence.stateOf(from, storeId))!;
    return {
      id: storeId,
      name: state.name,
      movedTo: place,
      counts: counts ?? (await countRows(to, storeId)),
      readOnlySince: readOnlySince!,
      readOnlyMs: await fence.readOnlyMs(from, storeId),
      uninvited: await notAmongMembers(from, to, storeId),
      systemUrl,
    };
  });
}

/** Carries the store over while it is read-only, and suspends it here. @returns the rows of each table */
async function carry(move: Move): Promise<Record<string, number>> {
  const { source, from, targetUrl, storeId, place } = move;
  const { rows } = await from.query<{ server: string; epoch: number }>(
    'select order_event_server() as server, order_event_epoch() as epoch',
  );
  const [{ server, epoch }] = rows;
  // The events of the store come before those that are written there. That may have to wait, so it is done
  // while the store still takes changes.
  await raiseEpochAbove(targetUrl, epoch);
  await fence.stopSending(from, storeId, place);
  await fence.makeReadOnly(from, storeId);
  await from.query('begin');
  try {
    await lockAccounts(from, storeId);
    const arrive = async (snapshot: LiveSnapshot) => {
      const arrival = { place, server, digest: snapshot.digest };
      return restoreStore(targetUrl, source.encryptionKeys, snapshot, storeId, { arrival });
    };
    const { counts } = await withSnapshot(source, storeId, arrive, 'move');
    await fence.suspend(from, storeId, reasonOf(place));
    await from.query('commit');
    return counts;
  } finally {
    await from.query('rollback');
  }
}

/**
 * Lets nobody change the accounts of a store's members until the end of the transaction: a password that was
 * changed before goes along.
 */
async function lockAccounts(from: pg.Client, storeId: string): Promise<void> {
  for (const [table, id] of Object.entries(ACCOUNT_TABLES))
    await from.query(
      `select from ${table} where ${id} in (select user_id from store_members where store_id = $1)
       for no key update`,
      [storeId],
    );
}

/** @throws OperationError invalid_input if the store is there, and not because of this move */
async function refuseUnlessArriving(
  to: pg.Client,
  storeId: string,
  place: string,
  state: fence.StoreState,
  arrived: fence.StoreState | null,
): Promise<void> {
  const isSuspended = state.suspendedReason === reasonOf(place);
  if (!arrived) {
    if (isSuspended) throw invalidInput(`the store was moved to ${place}, where it is no more`);
    return;
  }
  if (isArriving(arrived, place)) return;
  if (wasMovedAway(arrived))
    throw invalidInput(
      `the store was moved away from ${place}: delete what was left of it there first (shop store delete)`,
    );
  if (!isSuspended || arrived.readOnlySince !== null)
    throw invalidInput(`the store ${storeId} (${arrived.name}) is in the installation at ${place} already`);
  const { rowCount: told } = await to.query(
    `select from operator_log where command = 'store move' and target = 'store:' || $1
       and details->>'readOnlySince' = $2`,
    [storeId, state.readOnlySince!.toISOString()],
  );
  if (told) throw invalidInput(`the store was moved to ${place} already`);
}

/**
 * Opens a store again whose move was interrupted, and removes what has arrived of it. If the database there
 * cannot be reached, nothing is removed (null): until the store is suspended here, it cannot be open there.
 * @throws OperationError invalid_input if it is not being moved there, or is open there
 */
export async function undoMove(
  source: Source,
  targetUrl: string,
  storeId: string,
): Promise<{ id: string; name: string; removed: number | null; systemUrl: string | null }> {
  const place = placeOf(targetUrl);
  refuseServiceRole(targetUrl);
  const lost = await refuseUnreachable('to', targetUrl).then(
    () => null,
    (error: Error) => error,
  );
  const systemUrl = !lost && (await hasTables(targetUrl)) ? await there(source, targetUrl) : null;
  return withClients(source, systemUrl ?? source.directUrl, async (from, to) => {
    const state = await fence.stateOf(from, storeId);
    if (!state) throw noSuchStore();
    if (lost) {
      if (state.movedTo !== place || wasMovedAway(state)) throw lost;
      await fence.reopen(from, storeId, state);
      return { id: storeId, name: state.name, removed: null, systemUrl };
    }
    const arrived = systemUrl === null ? null : await fence.stateOf(to, storeId);
    if (state.movedTo !== place && !isArriving(arrived, place))
      throw invalidInput(
        state.movedTo === null
          ? 'the store is not being moved'
          : `the store is on its way to ${state.movedTo}`,
      );
    const target = systemUrl === null ? null : { client: to, systemUrl };
    const removed = await undo(source, from, target, storeId, place);
    return { id: storeId, name: state.name, removed, systemUrl };
  });
}

/** @returns how many rows of it had arrived */
async function undo(
  { log }: Source,
  from: pg.Client,
  target: { client: pg.Client; systemUrl: string } | null,
  storeId: string,
  place: string,
): Promise<number> {
  const state = (await fence.stateOf(from, storeId))!;
  const arrived = target && (await fence.stateOf(target.client, storeId));
  if (arrived && !isArriving(arrived, place))
    throw invalidInput(
      `the store is open at ${place}, and what is changed there would be lost: move it back`,
    );
  const wasSuspended = state.suspendedReason === reasonOf(place);
  const suspension = wasSuspended && arrived ? arrived : state;
  if (wasSuspended && !arrived) throw invalidInput(`the store was moved to ${place}, where it is no more`);
  const removed = arrived ? (await deleteStore(target.systemUrl, storeId, log)).rows : 0;
  await fence.reopen(from, storeId, suspension);
  return removed;
}

/** Whether it is there because of a move that has not ended. */
const isArriving = (arrived: fence.StoreState | null, place: string) => arrived?.movedTo === place;

/** A failure opens the store again if that is possible. */
async function carryOrUndo(move: Move): Promise<Record<string, number>> {
  try {
    return await carry(move);
  } catch (error) {
    const { source, from, to, systemUrl, storeId, place } = move;
    const isUndone = await undo(source, from, { client: to, systemUrl }, storeId, place).then(
      () => true,
      () => false,
    );
    if (isUndone) throw error;
    throw invalidInput(
      `${(error as Error).message}; nothing changes in the store until this is run again, or with --undo`,
    );
  }
}
