import type { QueryRunner } from 'typeorm';

/** Rows a statement changes at a time, where it changes very many. */
export const BATCH = 1_000;

/**
 * Makes an index beside the calls of running instances, in a migration with `transaction = false`. May be run again: an index that
 * is whole is kept, one that was cut short is made anew.
 * @param on as in `orders (store_id, status)`
 */
export async function createIndex(runner: QueryRunner, name: string, on: string, { unique = false } = {}): Promise<void> {
  const [found] = (await runner.query(`select indisvalid as "isWhole" from pg_index where indexrelid = to_regclass($1)`, [
    name,
  ])) as { isWhole: boolean }[];
  if (found?.isWhole) return;
  if (found) await runner.query(`drop index concurrently ${name}`);
  await runner.query(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`);
}

/**
 * Repeats a change, each time in a transaction of its own, until it finds nothing more to change: in a migration with
 * `transaction = false`. Between two it rests as long as one took, so that calls have half of the machine at least.
 * @param change a statement that changes at most BATCH rows, and none twice
 * @returns how many it changed
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

/** Lets the tables' owner see and write rows, which forced row-level security keeps from it. Where it is cut short, the next start forces it again. */
export async function seeingRows(runner: QueryRunner, tables: string[], work: () => Promise<unknown>): Promise<void> {
  for (const table of tables) await runner.query(`alter table ${table} no force row level security`);
  try {
    await work();
  } finally {
    for (const table of tables) await runner.query(`alter table ${table} force row level security`);
  }
}
