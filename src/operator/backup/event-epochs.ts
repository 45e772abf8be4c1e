import pg from 'pg';
import { plainClient } from './snapshot.js';

const EPOCH = 'select order_event_epoch() as epoch';

/** A transaction of the tables' owner, in which nobody else changes the epoch of the feeds. */
async function changingEpoch<Result>(
  ownerUrl: string,
  work: (owner: pg.Client) => Promise<Result>,
): Promise<Result> {
  const owner = plainClient(ownerUrl);
  try {
    await owner.connect();
    await owner.query('begin');
    await owner.query(`set local lock_timeout = '10s'`);
    await owner.query(`select pg_advisory_xact_lock(hashtextextended('order_events', 0))`);
    const result = await work(owner);
    await owner.query('commit');
    return result;
  } finally {
    await owner.end().catch(() => undefined);
  }
}

const RENAME_SERVER = `do $$ begin
  execute format(
    'create or replace function order_event_server() returns text language sql stable parallel safe as %L',
    format('select %L',
      (select system_identifier from pg_control_system()) || '.' || order_event_epoch()));
end $$`;

/**
 * Begins an epoch of both feeds after the server was recovered to an earlier moment. Such a server keeps its
 * identifier, so a start cannot notice, and gives the numbers of lost transactions to new ones, which readers
 * of changes with later cursors would take for read. Cursors of `list_changes` are refused from then on, as
 * after a restore; `list_events` refuses those of lost events anyway.
 */
export const beginAfterRecovery = (ownerUrl: string): Promise<{ epoch: number }> =>
  changingEpoch(ownerUrl, async (owner) => {
    await owner.query('select begin_order_event_epoch()');
    await owner.query(RENAME_SERVER);
    return (await owner.query<{ epoch: number }>(EPOCH)).rows[0];
  });

/**
 * Lets events that are written in this installation come after those of an epoch of another one. Waits for
 * the transactions that have written events, as begin_order_event_epoch() does; the rows need not be read,
 * because none is of a later epoch than the present one.
 */
export const raiseEpochAbove = (ownerUrl: string, above: number): Promise<void> =>
  changingEpoch(ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ epoch: number }>(EPOCH);
    if (rows[0].epoch > above) return;
    await owner.query('lock table order_events, record_changes in access exclusive mode');
    await owner.query(
      `create or replace function order_event_epoch() returns integer language sql stable parallel safe as
       ${pg.escapeLiteral(`select ${above + 1}`)}`,
    );
  });
