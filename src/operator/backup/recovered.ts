import { plainClient } from './snapshot.js';

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
export async function beginAfterRecovery(ownerUrl: string): Promise<{ epoch: number }> {
  const owner = plainClient(ownerUrl);
  try {
    await owner.connect();
    await owner.query('begin');
    await owner.query(`set local lock_timeout = '10s'`);
    await owner.query(`select pg_advisory_xact_lock(hashtextextended('order_events', 0))`);
    await owner.query('select begin_order_event_epoch()');
    await owner.query(RENAME_SERVER);
    const { rows } = await owner.query<{ epoch: number }>('select order_event_epoch() as epoch');
    await owner.query('commit');
    return rows[0];
  } finally {
    await owner.end().catch(() => undefined);
  }
}
