/**
 * A fixed SQL text, prepared once per connection under its name. `$1` is always the store's id. A text that
 * does not use it is refused, so that no statement can forget the store.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** The same statement, which also sets the store; see `carry`. */
  readonly carried: string;
  /** May take much longer than a look-up, so that other reads must not queue behind it. */
  readonly slow: boolean;
}

const names = new Set<string>();

/** @throws Error for a name that is used twice, or a text without `$1` */
export function statement(name: string, text: string, { slow = false } = {}): Statement {
  if (names.has(name)) throw new Error(`statement ${name} is declared twice`);
  if (!/\$1\b/.test(text)) throw new Error(`statement ${name} must be limited to the store, $1`);
  names.add(name);
  return { name, text, carried: carry(text), slow };
}

/**
 * Wraps a read so that it sets the store, which row-level security checks, in the same round trip and without
 * a transaction. The inner query reads the store from the row that set it, so it cannot run earlier. The
 * setting ends with the statement. OFFSET 0 keeps the planner from merging the two queries
 * (docs/decisions/0003-row-level-security.md).
 */
function carry(text: string): string {
  return (
    `select r.* from (select set_config('shop.store_id', $1::text, true) as store offset 0) this_session ` +
    `cross join lateral (select * from (${text.replace(/\$1\b(::uuid)?/g, 'this_session.store::uuid')}) q offset 0) r`
  );
}
