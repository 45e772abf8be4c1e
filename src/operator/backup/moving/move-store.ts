import type pg from 'pg';
import type { Groups, Role } from '../../../access/rights.js';
import { keysInUse, refuseUnreachable } from '../../../platform/database/installation/installation.js';
import { refuseServiceRole } from '../../../platform/database/installation/roles.js';
import { invalidInput, noSuchStore } from '../../../platform/errors.js';
import { wasMovedAway } from '../../../platform/store/call.js';
import { isUuid } from '../../../platform/schema/formats.js';
import { countRows, deleteStore } from '../delete-store.js';
import { hasTables, rolesAt } from '../restore-store.js';
import { plainClient } from '../snapshot.js';
import { type CopiedStore, copyStore, type Move, placeOf, reasonOf, type Source } from './copy-store.js';
import * as fence from './fence.js';

export interface Moved {
  id: string;
  name: string;
  /** Host and database. */
  movedTo: string;
  /** The rows of each table, equal on both sides. */
  counts: Record<string, number>;
  /** As of CopiedStore; null if that was done by a move that was interrupted. */
  comparedLast: number | null;
  /** Since when nothing changed in it, by which a move is known. */
  readOnlySince: Date;
  readOnlyMs: number;
  /** Who have an account there, which is not the one that they had here. */
  uninvited: { email: string; role: Role; groups: Groups }[];
  /** Connects as the role that sees the rows of every store there. */
  systemUrl: string;
}

/**
 * Moves a store to another installation. It is in one of these states, each of which is committed before the
 * next, so that a move that was interrupted is completed by another one, or undone:
 *
 * 1. Its rows arrive there, again and again, except those by which somebody gets into it (ACCESS). There it
 *    is read-only and on its way (`moved_to` of the place where it is); here all goes on.
 * 2. Nothing is sent for it any more, and what was being sent has ended (`moved_to`).
 * 3. It only answers reads (`read_only_since`), and no transaction that may change it is under way.
 * 4. What has arrived has been compared, and is the same.
 * 5. It is suspended here.
 * 6. Everybody gets into it there, and it is open.
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
    let copied: CopiedStore | null = null;
    if (!arrived || isArriving(arrived, place)) {
      await refuseConflicts(from, to, storeId);
      copied = await copyOrUndo({ source, from, to, targetUrl, systemUrl, place, storeId });
    }
    const { readOnlySince } = (await fence.stateOf(from, storeId))!;
    const readOnlyMs = await fence.readOnlyMs(from, storeId);
    return {
      id: storeId,
      name: state.name,
      movedTo: place,
      counts: copied?.counts ?? (await countRows(to, storeId)),
      comparedLast: copied?.comparedLast ?? null,
      readOnlySince: readOnlySince!,
      readOnlyMs,
      uninvited: await notAmongMembers(from, to, storeId),
      systemUrl,
    };
  });
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

/** Moves what is not there yet; a failure opens the store again if that is possible. */
async function copyOrUndo(move: Move): Promise<CopiedStore> {
  try {
    return await copyStore(move);
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

/** @returns the address of the system role there; an empty database gets its tables */
async function there(source: Source, targetUrl: string): Promise<string> {
  const { system } = await rolesAt(targetUrl, source.encryptionKeys).catch((error: Error) => {
    throw invalidInput(`to: ${error.message}`);
  });
  const [here, away] = [plainClient(source.ownerUrl), plainClient(targetUrl)];
  try {
    await Promise.all([here.connect(), away.connect()]);
    const inUse = await keysInUse(away);
    if ((await keysInUse(here)).some((key) => !inUse.includes(key)))
      throw invalidInput('to: the installation there does not have the ENCRYPTION_KEY of this one');
    const [{ rows: ours }, { rows: theirs }] = [await here.query(WHICH), await away.query(WHICH)];
    if (JSON.stringify(ours) === JSON.stringify(theirs))
      throw invalidInput('to: it is the database of this installation');
  } finally {
    await Promise.all([here.end(), away.end()].map((end) => end.catch(() => undefined)));
  }
  return system;
}

const WHICH = 'select system_identifier::text, current_database() from pg_control_system()';

async function withClients<Result>(
  { directUrl }: Source,
  systemUrl: string,
  work: (from: pg.Client, to: pg.Client, systemUrl: string) => Promise<Result>,
): Promise<Result> {
  const [from, to] = [plainClient(directUrl), plainClient(systemUrl)];
  try {
    for (const client of [from, to]) {
      await client.connect();
      await client.query('set statement_timeout = 0');
    }
    return await work(from, to, systemUrl);
  } finally {
    await from.end().catch(() => undefined);
    await to.end().catch(() => undefined);
  }
}

/** What may be in an installation once only, whichever store it belongs to. */
const UNIQUE = [
  { table: 'bots', column: 'bot_id', what: 'its bot' },
  { table: 'api_tokens', column: 'token_hash', what: 'one of its tokens' },
  { table: 'oauth_grants', column: 'id', what: 'one of its connected apps' },
  { table: 'oauth_tokens', column: 'token_hash', what: 'a token of one of its apps' },
  { table: 'invitations', column: 'token_hash', what: 'one of its invitations' },
];

async function refuseConflicts(from: pg.Client, to: pg.Client, storeId: string): Promise<void> {
  if (!isUuid(storeId)) throw noSuchStore();
  for (const { table, column, what } of UNIQUE) {
    const { rows } = await from.query<{ value: string }>(
      `select ${column}::text as value from ${table} where store_id = $1`,
      [storeId],
    );
    const { rowCount } = await to.query(`select from ${table} where ${column}::text = any($1) limit 1`, [
      rows.map(({ value }) => value),
    ]);
    if (rowCount) throw invalidInput(`${what} is in the installation there already, with another store`);
  }
}

/** Those who are members here and not there. */
async function notAmongMembers(from: pg.Client, to: pg.Client, storeId: string): Promise<Moved['uninvited']> {
  const members = (client: pg.Client) =>
    client.query<{ email: string; role: Role; groups: string[] | null }>(
      `select u.email, m.role, m.groups from store_members m join users u on u.id = m.user_id
       where m.store_id = $1 order by u.email`,
      [storeId],
    );
  const [{ rows: here }, { rows: away }] = [await members(from), await members(to)];
  return here.filter(({ email }) => !away.some((member) => member.email === email));
}
