import pg from 'pg';
import { keyHashOf, keysAsJson, partOf, type StoreTable, withKeys } from './store-tables.js';

const name = pg.escapeIdentifier;

/** How many rows, and what their keys and values add up to. */
interface Digest {
  rows: number;
  keys: string;
  values: string;
}
type Digests = Map<number, Digest>;

/** Rows that are not the same at both ends. */
export interface Difference {
  /** A condition for them, in SQL. */
  which: string;
  /** Whether all other rows are known to be the same. If not, the table is compared again. */
  isAll: boolean;
}

/**
 * The number of the oldest transaction that is under way: what it and later ones write, a snapshot that is
 * taken now does not have, or not all of it. As a number of 32 bits, as rows have it.
 */
export async function horizonOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ horizon: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::xid::text as horizon',
  );
  return rows[0].horizon;
}

/** More changed rows of a table are not looked up one by one. */
const MOST_KEYS = 100_000;

/**
 * Compares a store's rows of a table: here as the present transaction sees them, there as they are at each
 * time.
 */
export class Comparison {
  /** How many rows it has here. */
  rows = 0;
  /** How many rows were read whole to compare them. */
  compared = 0;
  /** What was read here, which does not change. */
  private readonly read = new Map<string, Promise<unknown>>();

  /**
   * @param since the horizons of the two ends before they were known to be the same; null if they never were
   */
  constructor(
    private readonly from: pg.Client,
    private readonly to: pg.Client,
    private readonly table: StoreTable,
    private readonly storeId: string,
    private readonly since: { here: string; there: string } | null,
  ) {}

  /** @returns null if there is none */
  async difference(): Promise<Difference | null> {
    if (this.since) {
      const { here, there } = this.since;
      const [ours, theirs] = await Promise.all([
        this.once('changes', () => this.changesOf(this.from, here)),
        this.changesOf(this.to, there),
      ]);
      this.rows = ours.rows;
      if (ours.changed !== null && theirs.changed !== null)
        return this.ofChanges(
          [ours, theirs],
          [ours.changed, theirs.changed].filter((keys) => keys !== NONE),
        );
    }
    const parts = await this.partsThatDiffer('values');
    return parts === null ? null : { which: parts, isAll: false };
  }

  /** Whether these rows are the same at both ends. */
  async isSame(which: string): Promise<boolean> {
    const [ours, theirs] = await this.digestsOf(which);
    return isSame(ours, theirs);
  }

  /**
   * A row that neither end has written since both were the same is the same, if it is there. So the changed
   * ones are compared, and of all others only which there are.
   */
  private async ofChanges([ours, theirs]: Changes[], changed: string[]): Promise<Difference | null> {
    const conditions: string[] = [];
    let isAll = true;
    let [restHere, restThere] = [ours, theirs];
    if (changed.length > 0) {
      const which = withKeys(this.table, changed);
      const [here, there] = await this.digestsOf(which);
      if (!isSame(here, there)) conditions.push(which);
      [restHere, restThere] = [without(ours, here), without(theirs, there)];
    }
    if (restHere.rows !== restThere.rows || restHere.keys !== restThere.keys) {
      // Something was deleted.
      const parts = await this.partsThatDiffer('keys');
      conditions.push(parts ?? 'false');
      isAll = parts !== null;
    }
    return conditions.length === 0 ? null : { which: conditions.join(' or '), isAll };
  }

  private async partsThatDiffer(by: 'keys' | 'values'): Promise<string | null> {
    const [ours, theirs] = await Promise.all([
      this.once(by, () => this.digests(this.from, by)),
      this.digests(this.to, by),
    ]);
    this.rows = [...ours.values()].reduce((sum, part) => sum + part.rows, 0);
    if (by === 'values') this.compared += this.rows;
    const parts = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
      (part) => !isSame(ours.get(part), theirs.get(part)),
    );
    if (parts.length === 0) return null;
    return theirs.size === 0 ? 'true' : `${partOf(this.table)} in (${parts.join()})`;
  }

  private once<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.read.has(what)) this.read.set(what, work());
    return this.read.get(what) as Promise<Result>;
  }

  private async digests(client: pg.Client, by: 'keys' | 'values'): Promise<Digests> {
    const { rows } = await client.query<Digest & { part: number }>(
      `select ${partOf(this.table)} as part, ${this.summed(by)} from ${name(this.table.name)}
       where store_id = $1 group by 1`,
      [this.storeId],
    );
    return new Map(rows.map(({ part, ...digest }) => [part, digest]));
  }

  private async digestsOf(which: string): Promise<[Digest, Digest]> {
    const digest = async (client: pg.Client) => {
      const { rows } = await client.query<Digest>(
        `select ${this.summed('values')} from ${name(this.table.name)} where store_id = $1 and (${which})`,
        [this.storeId],
      );
      return rows[0];
    };
    const [ours, theirs] = await Promise.all([digest(this.from), digest(this.to)]);
    this.compared += ours.rows;
    return [ours, theirs];
  }

  private summed(by: 'keys' | 'values'): string {
    const values = by === 'keys' ? '0' : `hash_record_extended(row(${this.table.hashed.join(', ')}), 0)`;
    return `count(*)::integer as rows, coalesce(bit_xor(${keyHashOf(this.table)}), 0)::text as keys,
      coalesce(bit_xor(${values}), 0)::text as values`;
  }

  /** Reads no value of any row but the key. */
  private async changesOf(client: pg.Client, horizon: string): Promise<Changes> {
    const table = name(this.table.name);
    // The age of a frozen row may be wrong, but is never that of a later transaction.
    const isChanged = `age(xmin) <= age(${pg.escapeLiteral(horizon)}::xid)`;
    const { rows } = await client.query<Changes>(
      `with present as (
         select count(*)::integer as rows, coalesce(bit_xor(${keyHashOf(this.table)}), 0)::text as keys,
           coalesce(array_agg(ctid) filter (where ${isChanged}), '{}') as changed
         from ${table} where store_id = $1)
       select rows, keys,
         case when cardinality(changed) = 0 then '${NONE}' when cardinality(changed) <= ${MOST_KEYS} then (
           select ${keysAsJson(this.table)}::text from ${table}
           where store_id = $1 and ctid = any(present.changed) and ${isChanged}) end as changed
       from present`,
      [this.storeId],
    );
    return rows[0];
  }
}

const NONE = '[]';

interface Changes {
  rows: number;
  /** What all keys add up to. */
  keys: string;
  /** The keys of the rows that were written since, in JSON; null if they are very many. */
  changed: string | null;
}

/** What rows add up to without some of them. */
const without = (all: Changes, some: Digest): Changes => ({
  ...all,
  rows: all.rows - some.rows,
  keys: String(BigInt(all.keys) ^ BigInt(some.keys)),
});

const isSame = (one: Digest | undefined, other: Digest | undefined) =>
  one?.rows === other?.rows && one?.keys === other?.keys && one?.values === other?.values;
