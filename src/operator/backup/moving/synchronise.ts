import pg from 'pg';
import { copyParts, type Ends } from './copy-parts.js';
import { AS_TEXT } from './digest.js';
import { partOf, type StoreTable } from './store-tables.js';

const MOST_ROUNDS = 8;
/** Values that never change, and are too big to be read once more while the store waits. */
const CONSTANT: Record<string, string[]> = { pictures: ['bytes'] };
const name = pg.escapeIdentifier;

/** Texts of values become the same at both ends, and what is copied is not added up. */
export async function prepareEnds({ from, to }: Pick<Ends, 'from' | 'to'>): Promise<void> {
  for (const client of [from, to]) await client.query(AS_TEXT, [false]);
  await to.query(`select set_config('shop.copying', 'on', false)`);
}

export interface Copied {
  /** How many rows were entered, changed or deleted there. */
  changed: number;
  /** How many rows each table has in the store; tables without any are left out. */
  counts: Record<string, number>;
}

/**
 * Makes the rows of a store there those that it has here at one moment. It compares digests of parts of each
 * table and copies the parts that differ, so it finds every change, however it was made.
 * @param until 'once': something may still differ afterwards; 'equal': nothing does
 * @throws Error that names the tables that still differ after several rounds
 */
export async function synchronise(
  ends: Ends,
  tables: StoreTable[],
  storeId: string,
  until: 'once' | 'equal',
): Promise<Copied> {
  const { from } = ends;
  const ours = new Map<string, Promise<Digests>>();
  let changed = 0;
  await from.query('begin isolation level repeatable read read only');
  try {
    for (let round = 1; ; round++) {
      const result = await copyRound(ends, tables, storeId, until, ours);
      changed += result.changed;
      if (until === 'once' || result.unequal.length === 0) return { changed, counts: result.counts };
      if (round === MOST_ROUNDS)
        throw (
          result.failure ?? new Error(`what has arrived is not what was there: ${result.unequal.join(', ')}`)
        );
    }
  } finally {
    await from.query('commit');
  }
}

interface Round extends Copied {
  /**
   * Tables that may differ after it: those that are not what they should be, and those that triggers have
   * changed after they were compared.
   */
  unequal: string[];
  /** Why one could not be copied. */
  failure?: Error;
}

/** Compares and copies each table once. */
async function copyRound(
  ends: Ends,
  tables: StoreTable[],
  storeId: string,
  until: 'once' | 'equal',
  known: Map<string, Promise<Digests>>,
): Promise<Round> {
  const { from, to } = ends;
  const result: Round = { changed: 0, counts: {}, unequal: [] };
  const compared: string[] = [];
  for (const table of tables) {
    if (!known.has(table.name)) known.set(table.name, digests(from, table, storeId, until));
    const [ours, theirs] = await Promise.all([known.get(table.name)!, digests(to, table, storeId, until)]);
    const parts = differing(ours, theirs);
    if (parts.length > 0) {
      const copied = await copyParts(ends, table, storeId, theirs.size === 0 ? null : parts);
      result.changed += copied.changed;
      result.failure ??= copied.failure;
      result.unequal.push(...compared.filter((earlier) => copied.touched.has(earlier)));
      if (until === 'equal') {
        const now = await digests(to, table, storeId, until, parts);
        if (parts.some((part) => !isSame(ours.get(part), now.get(part)))) result.unequal.push(table.name);
      }
    }
    compared.push(table.name);
    const rows = [...ours.values()].reduce((sum, part) => sum + part.rows, 0);
    if (rows > 0) result.counts[table.name] = rows;
  }
  return result;
}

interface PartDigest {
  rows: number;
  sum: string;
}
type Digests = Map<number, PartDigest>;

/** @param parts only these */
async function digests(
  client: pg.Client,
  table: StoreTable,
  storeId: string,
  until: 'once' | 'equal',
  parts?: number[],
): Promise<Digests> {
  const constant = until === 'equal' ? (CONSTANT[table.name] ?? []) : [];
  const values = table.columns.map((column, i) =>
    constant.includes(column) ? `octet_length(${name(column)})` : table.hashed[i],
  );
  const only = parts ? `${partOf(table)} in (${parts.join()})` : 'true';
  const { rows } = await client.query<PartDigest & { part: number }>(
    `select ${partOf(table)} as part, count(*)::integer as rows,
       bit_xor(hash_record_extended(row(${values.join(', ')}), 0))::text as sum
     from ${name(table.name)} where store_id = $1 and ${only}
     group by 1`,
    [storeId],
  );
  return new Map(rows.map(({ part, ...digest }) => [part, digest]));
}

const isSame = (one: PartDigest | undefined, other: PartDigest | undefined) =>
  one?.sum === other?.sum && one?.rows === other?.rows;

const differing = (ours: Digests, theirs: Digests): number[] =>
  [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (part) => !isSame(ours.get(part), theirs.get(part)),
  );
