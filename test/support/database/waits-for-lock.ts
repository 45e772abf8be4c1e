import type pg from 'pg';
import type { StoreContext } from '../../../src/platform/store/store-context.js';
import { eventually } from '../eventually.js';

/** Backends that wait for the one that asks, and those behind them in its line. */
const WAITING = `with recursive waiting as (
    select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
    union select l.pid from waiting w
      join pg_locks l on not l.granted and w.pid = any(pg_blocking_pids(l.pid))
  ) select from waiting`;

/**
 * Waits until so many others wait for what this transaction has locked, whatever else waits in the database.
 * @param holder the connection of the transaction, or the context of a store's
 */
export async function waitsForLock(holder: pg.ClientBase | StoreContext, many = 1): Promise<void> {
  const client = 'session' in holder ? holder.session['client']! : holder;
  const others = many === 1 ? 'somebody waits' : `${many} wait`;
  await eventually(`${others} for the lock`, async () => (await client.query(WAITING)).rowCount! >= many);
}
