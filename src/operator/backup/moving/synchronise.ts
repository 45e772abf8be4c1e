import pg from 'pg';
import { Comparison, horizonOf } from './compare.js';
import { copyRows, type Ends } from './copy-rows.js';
import { AS_TEXT } from './digest.js';
import type { StoreTable } from './store-tables.js';

const MOST_ROUNDS = 8;
const MANY = 1_000;

/** Texts of values become the same at both ends, and what is copied is not added up. */
export async function prepareEnds({ from, to }: Pick<Ends, 'from' | 'to'>): Promise<void> {
  for (const client of [from, to]) await client.query(AS_TEXT, [false]);
  await to.query(`select set_config('shop.copying', 'on', false)`);
}

/** Tables into which triggers enter rows, whose numbers come from a sequence. */
const NUMBERED = ['order_days', 'product_days', 'former_titles'];
/** More than are entered here while a store is copied. */
const ROOM = 1_000_000_000;

/**
 * Lets what triggers enter there, until it is replaced, have other numbers than what is copied.
 * @param here owns the tables where the store comes from
 */
export async function leaveRoom(here: pg.Client, there: pg.Client): Promise<void> {
  for (const table of NUMBERED) {
    const sequence = `pg_get_serial_sequence('${table}', 'id')`;
    const last = `coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`;
    const { rows } = await here.query<{ last: string }>(`select ${last} as last`);
    await there.query(`select setval(${sequence}, greatest($1::bigint + ${ROOM}, ${last}))`, [rows[0].last]);
  }
}

/**
 * Since when both ends may differ again: the horizon of each when they were the same, there for each table.
 * It is good for these connections only: a server that was lost may use the same numbers again.
 */
export interface Since {
  here: string;
  there: Map<string, string>;
}

export interface Synchronised {
  /** How many rows were entered, changed or deleted there. */
  changed: number;
  /** How many rows were read whole to compare them. */
  compared: number;
  /** How many rows each table has in the store; tables without any are left out. */
  counts: Record<string, number>;
  /** For the next time. */
  since: Since;
}

/**
 * Makes the rows of a store there those that it has here at one moment, however they were changed, and
 * compares all of them. With `since` only what was written since is read, and counted which rows there are.
 * @throws Error that names the tables that still differ after several rounds
 */
export async function synchronise(
  ends: Ends,
  tables: StoreTable[],
  storeId: string,
  since: Since | null,
): Promise<Synchronised> {
  const { from, to, owner } = ends;
  let [changed, compared] = [0, 0];
  const there = new Map<string, string>();
  await from.query('begin isolation level repeatable read read only');
  try {
    const here = await horizonOf(from);
    const comparisons = new Map(
      tables.map((table) => {
        const before = since && { here: since.here, there: since.there.get(table.name)! };
        return [table.name, new Comparison(from, to, table, storeId, before)];
      }),
    );
    const pending = new Set(comparisons.keys());
    let failure: Error | undefined;
    for (let round = 1; pending.size > 0; round++) {
      if (round > MOST_ROUNDS)
        throw failure ?? new Error(`what has arrived is not what was there: ${[...pending].join(', ')}`);
      failure = undefined;
      for (const table of tables) {
        if (!pending.delete(table.name)) continue;
        const comparison = comparisons.get(table.name)!;
        // What is copied after this moment is compared once more the next time.
        there.set(table.name, await horizonOf(to));
        const difference = await comparison.difference();
        if (!difference) continue;
        const copied = await copyRows(ends, table, storeId, difference.which);
        changed += copied.changed;
        // Triggers would read whole, for each row, a table of which the planner knows nothing.
        if (copied.changed > Math.max(MANY, comparison.rows / 10))
          for (const name of copied.touched) await owner.query(`analyze ${pg.escapeIdentifier(name)}`);
        failure ??= copied.failure;
        // Triggers may have changed what was compared before.
        for (const name of copied.touched)
          if (name !== table.name && comparisons.has(name)) pending.add(name);
        if (!difference.isAll || !(await comparison.isSame(difference.which))) pending.add(table.name);
      }
    }
    const counts = [...comparisons].flatMap(([name, { rows }]) => (rows > 0 ? [[name, rows] as const] : []));
    for (const comparison of comparisons.values()) compared += comparison.compared;
    return { changed, compared, counts: Object.fromEntries(counts), since: { here, there } };
  } finally {
    await from.query('commit');
  }
}
