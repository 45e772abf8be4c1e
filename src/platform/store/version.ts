import type { StoreSession } from '../database/session.js';
import type { Statement } from '../database/statement.js';
import { isDateTime } from '../schema/formats.js';
import { invalidInput, OperationError } from '../errors.js';

/**
 * The `updatedAt` that the caller last saw.
 * @param ifMatch the header
 * @throws OperationError invalid_input if the header is not a time, or if the endpoint does not support it
 * (better than ignoring it)
 */
export function expectedVersion(
  { path, ifMatch: isHonoured }: { path: string; ifMatch?: boolean },
  ifMatch: string,
): Date {
  if (!isHonoured) throw invalidInput(`If-Match is not supported by ${path}`);
  const [, time] = /^"?([^"]+)"?$/.exec(ifMatch) ?? [];
  if (time === undefined || !isDateTime(time)) throw invalidInput("If-Match must be the record's updatedAt");
  return new Date(time);
}

/**
 * Prevents overwriting a change that the caller has not seen. What changed since may be what orders move
 * (docs/behaviour.md §5).
 * @param editedAt the last change by people; every change is one unless it is given
 * @throws OperationError precondition_failed, with nothing changed
 */
export function checkUnchanged(expected: Date | null, updatedAt: Date | null, editedAt = updatedAt): void {
  if (expected && !(updatedAt && editedAt && editedAt <= expected && expected <= updatedAt)) {
    throw new OperationError(
      'precondition_failed',
      `The record has changed: its updatedAt is ${updatedAt?.toISOString() ?? 'null'}`,
    );
  }
}

/**
 * The `updatedAt` of a change: now, but always after `previous`, so that no two versions of a record have the
 * same time.
 */
export function nextVersion(ctx: { now(): Date }, previous: Date): Date {
  return new Date(Math.max(ctx.now().getTime(), previous.getTime() + 1));
}

/**
 * The same as SQL, for a row that the statement changes.
 * @param previous the row's `updated_at`, with its table's alias
 * @param now a timestamp to the millisecond
 */
export const versionAfter = (previous: string, now: string) =>
  `greatest(${now}, ${previous} + interval '1 millisecond')`;

/** The times of a record whose stock or bonus orders move. */
export interface MovedVersion {
  updatedAt: Date;
  movedAt: Date | null;
  editedAt: Date | null;
}

/**
 * When people last changed a record. A move by an order marks its own version with `moved_at` and keeps in
 * `edited_at` when people had changed it. So every other change, whoever writes it, counts as one by people.
 */
export function lastEdit({ updatedAt, movedAt, editedAt }: MovedVersion): Date {
  return movedAt?.getTime() === updatedAt.getTime() && editedAt ? editedAt : updatedAt;
}

/**
 * SQL of the assignments of a new version that an order made.
 * @param row the alias of the row
 * @param at the new version
 * @param isMove SQL that is false if people made the change after all
 */
export const movedTo = (row: string, at: string, isMove = 'true') => `updated_at = ${at},
    moved_at = case when ${isMove} then ${at} else ${row}.moved_at end,
    edited_at = case when ${row}.moved_at = ${row}.updated_at then ${row}.edited_at
      else ${row}.updated_at end`;

/** SQL that locks and reads the version in a table with one row per store. */
export const storeVersion = (table: string) =>
  `select updated_at as "updatedAt" from ${table} where store_id = $store for update`;

/**
 * Locks the store's row of such a table, if there is one, and checks `If-Match`. What is read after this is
 * what the change replaces.
 */
export async function lockStoreVersion(
  ctx: { session: StoreSession; checkUnchanged(updatedAt: Date | null): void },
  version: Statement<{ parameters: Record<never, never>; row: { updatedAt: Date } }>,
): Promise<void> {
  const [row] = await ctx.session.query(version);
  ctx.checkUnchanged(row?.updatedAt ?? null);
}
