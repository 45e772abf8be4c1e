import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

/** A change of the schema, which the database knows by the name of its class. */
export interface Step {
  /** Whether it runs in a transaction of its own, as it does by default. */
  transaction?: boolean;
  up(runner: QueryRunner): Promise<unknown>;
}

/** How a database gets its tables (CONTRIBUTING.md, Changing the schema). */
export interface Migrations {
  /** The SQL of version 1.0.0, from which an empty database is made. */
  schema: string;
  /** The changes since, which databases in use get as well as new ones. */
  steps: (new () => Step)[];
}

/** When the schema began, as TypeORM wants a time at the end of each name. */
const BEGAN = 1_795_392_000_000;

/** What makes a database of the newest version: the schema, which is the first migration, and the steps. */
export const classesOf = ({ schema, steps }: Migrations): (new () => Step)[] => [
  schemaClass(schema),
  ...steps,
];

/** The names of everything that a database of the newest version has. */
export const namesOf = (migrations: Migrations): string[] => classesOf(migrations).map(({ name }) => name);

/** A schema with other statements has another name, so that a database of another schema is known by it. */
function schemaClass(schema: string): new () => Step {
  const statements = schema.replaceAll('\r', '').replaceAll(/^\s*(--.*)?\n/gm, '');
  const name = `Schema_${createHash('sha256').update(statements).digest('hex').slice(0, 8)}_${BEGAN}`;
  const named = {
    [name]: class {
      up(runner: QueryRunner): Promise<unknown> {
        return runner.query(schema);
      }
    },
  };
  return named[name];
}

/**
 * How long a statement of a migration waits for a lock. Calls that queue behind it wait too, so it is short.
 * After it the calls run, and the statement is tried again.
 */
const LOCK_MS = 200;
const PAUSE_MS = [100, 200, 500, 1_000];
/**
 * How long a migration tries to get a lock before it is given up, because another transaction does not end.
 */
const PATIENCE_MS = 5 * 60_000;

/** SQLSTATEs lock_not_available and deadlock_detected: the statement was undone and can be tried again. */
const CONTENTION = ['55P03', '40P01'];
/**
 * Statements that wait for older transactions without blocking calls. They need no time limit, and would
 * never finish with one.
 */
const CONCURRENTLY = /^\s*(create\s+(unique\s+)?index|drop\s+index|reindex\s+\w+)\s+concurrently\b/i;

/**
 * Applies the pending migrations while other instances serve calls (docs/operations.md, Migrations under
 * traffic). Nothing waits long for a lock. A statement that did not get one is tried again, or the whole
 * transaction of its migration if it has one.
 * @param patienceMs how long to keep trying
 * @throws Error of the last try, naming the transactions it waited for
 */
export async function applyMigrations(dataSource: DataSource, patienceMs = PATIENCE_MS): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query(`set lock_timeout = ${LOCK_MS}`);
    retryStatementsOnLock(runner, patienceMs);
    await retryWhileLocked(runner, patienceMs, async () => {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      try {
        await executor.executePendingMigrations();
      } catch (error) {
        // A migration without a transaction may have failed inside one that it began itself.
        if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
        throw error;
      }
    });
  } finally {
    await runner.release();
  }
}

type Query = (text: string, ...rest: unknown[]) => Promise<unknown>;

/**
 * Retries statements outside a transaction one by one, so that a migration of many statements does not start
 * again.
 */
function retryStatementsOnLock(runner: QueryRunner, patienceMs: number): void {
  const query = runner.query.bind(runner) as Query;
  const concurrently: Query = async (text, ...rest) => {
    await query('set lock_timeout = 0');
    return query(text, ...rest).finally(() => query(`set lock_timeout = ${LOCK_MS}`));
  };
  const gentle: Query = (text, ...rest) => {
    if (runner.isTransactionActive) return query(text, ...rest);
    // A failed build leaves an invalid index behind, which the migration removes.
    if (CONCURRENTLY.test(text)) return concurrently(text, ...rest);
    return retryWhileLocked(runner, patienceMs, () => query(text, ...rest));
  };
  Object.assign(runner, { query: gentle });
}

/** Repeats work that did not get a lock, with growing pauses. */
async function retryWhileLocked<Result>(
  runner: QueryRunner,
  patienceMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isContention(error)) throw error;
      if (performance.now() > deadline) throw await withBlockers(runner, error as Error);
      await sleep(PAUSE_MS[Math.min(tries, PAUSE_MS.length - 1)]);
    }
  }
}

const isContention = (error: unknown) => CONTENTION.includes((error as { code?: string }).code ?? '');

/** The error with the transactions that have been open longest. */
async function withBlockers(runner: QueryRunner, error: Error): Promise<Error> {
  const rows = (await runner
    .query(
      `select format('process %s (%s), open for %s s', pid, application_name, extract(epoch
        from now() - xact_start)::int) as line
       from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and xact_start < now() - interval '1 second'
       order by xact_start limit 5`,
    )
    .catch(() => [])) as { line: string }[];
  const open = rows.length > 0 ? rows.map(({ line }) => line).join(', ') : 'none that can be seen';
  return new Error(
    `${error.message}. It was tried again and again; the longest transactions: ${open}. Run it again when ` +
      `they have ended`,
    {
      cause: error,
    },
  );
}
