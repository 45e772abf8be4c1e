import type { QueryRunner } from 'typeorm';

/** The number of rows that a statement changes at a time, if there are very many. */
export const BATCH = 1_000;

/**
 * Creates an index while instances serve calls, in a migration with `transaction = false`. It can be run
 * again: a complete index is kept, an incomplete one is created again.
 * @param on the table and columns, such as `orders (store_id, status)`
 */
export async function createIndex(
  runner: QueryRunner,
  name: string,
  on: string,
  { unique = false } = {},
): Promise<void> {
  const [found] = (await runner.query(
    `select indisvalid as "isWhole" from pg_index where indexrelid = to_regclass($1)`,
    [name],
  )) as { isWhole: boolean }[];
  if (found?.isWhole) return;
  if (found) await runner.query(`drop index concurrently ${name}`);
  await runner.query(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`);
}

/**
 * Repeats a change, each time in its own transaction, until it changes nothing more, in a migration with
 * `transaction = false`. It pauses after each change for as long as that took, so that calls get at least
 * half of the machine.
 * @param change a statement that changes at most BATCH rows, and none twice
 * @returns the number of changed rows
 */
export async function inBatches(runner: QueryRunner, change: string): Promise<number> {
  for (let total = 0; ;) {
    const began = performance.now();
    const { affected } = (await runner.query(change, [], true)) as { affected?: number };
    if (!affected) return total;
    total += affected;
    const took = performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, took));
  }
}

/**
 * Runs `work` while the owner of the tables can see and write rows, which forced row-level security otherwise
 * prevents. If it is interrupted, the next start forces row-level security again.
 */
export async function seeingRows(
  runner: QueryRunner,
  tables: string[],
  work: () => Promise<unknown>,
): Promise<void> {
  for (const table of tables) await runner.query(`alter table ${table} no force row level security`);
  try {
    await work();
  } finally {
    for (const table of tables) await runner.query(`alter table ${table} force row level security`);
  }
}
