import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

/**
 * How long a statement of a migration waits for a lock. Calls that come behind it wait with it, so it is short; then they have their
 * turn, and it tries again.
 */
const LOCK_MS = 200;
const PAUSE_MS = [100, 200, 500, 1_000];
/** After so long without a lock the migration is given up: somebody's transaction does not end. */
const PATIENCE_MS = 5 * 60_000;

/** SQLSTATEs lock_not_available and deadlock_detected: what was tried is undone, and may be tried again. */
const CONTENTION = ['55P03', '40P01'];
/** Waits until older transactions have ended, and holds up no call meanwhile: it needs no limit, and would never end with one. */
const CONCURRENTLY = /^\s*(create\s+(unique\s+)?index|drop\s+index|reindex\s+\w+)\s+concurrently\b/i;

/**
 * Applies the migrations that are pending, beside the calls of instances that serve (docs/operations.md, Migrations under traffic):
 * nothing waits long for a lock, and what did not get one is tried again, a statement by itself, or the migration's transaction.
 * @param patienceMs how long it is tried
 * @throws Error of the last try, with what it waited for
 */
export async function applyMigrations(dataSource: DataSource, patienceMs = PATIENCE_MS): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query(`set lock_timeout = ${LOCK_MS}`);
    makeGentle(runner, patienceMs);
    await untilFree(runner, patienceMs, async () => {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      try {
        await executor.executePendingMigrations();
      } catch (error) {
        // One that runs outside a transaction may have failed in one of its own.
        if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
        throw error;
      }
    });
  } finally {
    await runner.release();
  }
}

type Query = (text: string, ...rest: unknown[]) => Promise<unknown>;

/** Statements outside a transaction are tried again by themselves: a migration of many need not begin anew. */
function makeGentle(runner: QueryRunner, patienceMs: number): void {
  const query = runner.query.bind(runner) as Query;
  const concurrently: Query = async (text, ...rest) => {
    await query('set lock_timeout = 0');
    return query(text, ...rest).finally(() => query(`set lock_timeout = ${LOCK_MS}`));
  };
  const gentle: Query = (text, ...rest) => {
    if (runner.isTransactionActive) return query(text, ...rest);
    // A build that failed leaves an index behind, which the migration knows how to remove.
    if (CONCURRENTLY.test(text)) return concurrently(text, ...rest);
    return untilFree(runner, patienceMs, () => query(text, ...rest));
  };
  Object.assign(runner, { query: gentle });
}

/** Tries again what did not get a lock, with growing pauses. */
async function untilFree<Result>(runner: QueryRunner, patienceMs: number, work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isContention(error)) throw error;
      if (performance.now() > deadline) throw await whoHolds(runner, error as Error);
      await sleep(PAUSE_MS[Math.min(tries, PAUSE_MS.length - 1)]);
    }
  }
}

const isContention = (error: unknown) => CONTENTION.includes((error as { code?: string }).code ?? '');

/** The error with the transactions that have been open longest. */
async function whoHolds(runner: QueryRunner, error: Error): Promise<Error> {
  const rows = (await runner
    .query(
      `select format('process %s (%s), open for %s s', pid, application_name, extract(epoch from now() - xact_start)::int) as line
       from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '1 second'
       order by xact_start limit 5`,
    )
    .catch(() => [])) as { line: string }[];
  const open = rows.length > 0 ? rows.map(({ line }) => line).join(', ') : 'none that can be seen';
  return new Error(
    `${error.message}. It was tried again and again; the longest transactions: ${open}. Run it again when they have ended`,
    {
      cause: error,
    },
  );
}
