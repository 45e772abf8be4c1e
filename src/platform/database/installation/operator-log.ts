import { hostname, userInfo } from 'node:os';
import type pg from 'pg';
import { newId } from '../../ids.js';
import type { Logger } from '../../logging/logger.js';
import { Client } from '../connections/connection.js';
import { type RowOf, systemStatement } from '../statement.js';
import { runOn, type SystemDatabase } from '../system.js';

/** What an operator did. Details are figures and ids, no secrets, and no data of a store. */
export interface OperatorAction {
  /** The words of the command, or `start`. */
  command: string;
  /** What it was done to, such as `store:` and its id; absent for the whole installation. */
  target?: string;
  details?: object;
}

const INSERT = systemStatement(
  'insert_operator_action',
  `insert into operator_log (id, at, os_user, host, command, target, details)
   values ($id, $at, $osUser, $host, $command, $target?, $details)`,
);

/** Newest first; all since `$since`, or all there are. */
const LIST = systemStatement(
  'list_operator_actions',
  `select at, os_user as "user", host, command, target, details from operator_log
   where $since?::timestamptz is null or at >= $since order by id desc`,
);

const LAST = systemStatement(
  'last_operator_action',
  `select details from operator_log where command = $command and target = $target
   order by id desc limit 1`,
);

/** The person is the user of the operating system, because the command line has no accounts. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

const rowOf = ({ command, target = undefined, details = {} }: OperatorAction) => ({
  id: newId(),
  at: new Date(),
  osUser: osUser(),
  host: hostname(),
  command,
  target: target ?? null,
  details: JSON.stringify(details),
});

/**
 * Records an action in the database and in the log. It has been done by then, so a failure is only logged.
 * @param database SystemDatabase, or the address of the system role
 * @returns the id of the record
 */
export async function recordAction(
  database: SystemDatabase | string,
  log: Logger,
  action: OperatorAction,
  level: 'warn' | 'debug' = 'warn',
): Promise<string> {
  const row = rowOf(action);
  log[level]({ operator: { ...row, details: action.details } }, `operator: ${action.command}`);
  try {
    await (typeof database === 'string' ? insertAt(database, row) : database.query(INSERT, row));
  } catch (error) {
    log.error({ err: error, command: action.command }, 'the action is not in the operator log');
  }
  return row.id;
}

async function insertAt(systemUrl: string, row: ReturnType<typeof rowOf>): Promise<void> {
  const client: pg.Client = new Client({ connectionString: systemUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    // A database of an older version, which is only backed up, does not have the table.
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('operator_log') is not null as there`,
    );
    if (rows[0].there) await runOn(client, INSERT, row);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @returns the details of the newest record of a command for a target; null if there is none */
export async function lastDetails(
  database: SystemDatabase,
  action: { command: string; target: string },
): Promise<Record<string, unknown> | null> {
  const [last] = await database.query(LAST, action);
  return (last?.details as Record<string, unknown>) ?? null;
}

/** @param since the earliest time; null for all actions @returns newest first */
export function listActions(database: SystemDatabase, since: Date | null): Promise<RowOf<typeof LIST>[]> {
  return database.query(LIST, { since });
}
