import { PURGE_BATCH, Retention } from '../../../src/platform/database/retention.service.js';
import { fillEmptyTables } from '../../support/database/every-table.js';
import { ownDatabase } from '../../support/database/own-database.js';
import { TestClock, useShop } from '../../support/test-app.js';

const DAY_MS = 24 * 3_600_000;
/** What makes a row one that a rule with a condition is about. */
const ONLY: Record<string, string> = {
  webhook_deliveries: `status = 'delivered'`,
  campaigns: `status = 'finished'`,
};

describe('what is kept for a time', () => {
  const clock = new TestClock();

  const app = useShop(async () => ({ clock, database: await ownDatabase(), env: { AUDIT_DAYS: '30' } }));

  it('idempotency keys are deleted after a day, and only they', async () => {
    const store = await app.store();
    const brand = (slug: string) =>
      store.call('create_brand', { name: slug, slug }, { headers: { 'Idempotency-Key': slug } });
    await brand('old');
    clock.advance(1);
    await brand('young');
    clock.advance(DAY_MS - 1);
    await app.nest.get(Retention).purge();
    expect(await app.query('select key from idempotency_keys')).toEqual([{ key: 'young' }]);
    expect((await brand('young')).headers.get('idempotent-replayed')).toBe('true');
  });

  it('audit rows are deleted after AUDIT_DAYS, however many they are', async () => {
    const store = await app.store();
    const last = new Date(clock.now().getTime() - 30 * DAY_MS);
    await app.query(
      `insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, target, input,
        outcome, request_id)
       select $1, gen_random_uuid(), $2::timestamptz - n * interval '1 minute', 'system', 'test',
         'create_brand', 'http', 'brand:' || n, '{}', 'ok', ''
       from generate_series(-1, $3::integer) n`,
      [store.id, last, PURGE_BATCH + 100],
    );
    await app.nest.get(Retention).purge();
    const rows = await app.query(`select target from audit_log where store_id = $1`, [store.id]);
    expect(rows).toEqual([{ target: 'brand:-1' }]);
  });

  interface Rule {
    table: string;
    column: string;
    keptDays: number;
    only?: string;
  }
  const rules = () => app.nest.get(Retention)['rules'] as Rule[];

  it('is deleted when it is old enough and not a day before, in every table', async () => {
    const store = await app.store();
    const set = ({ table, column, only }: Rule, ageDays: number) =>
      app.query(
        `update ${table} set ${[`${column} = $1`, ...(only === undefined ? [] : [ONLY[table]])].join(', ')}`,
        [new Date(clock.now().getTime() - ageDays * DAY_MS)],
      );
    const seen: string[] = [];
    for (const rule of rules()) {
      await fillEmptyTables(app.database.ownerUrl, store.id);
      // Of a table that goes with another one's rows those must be young, too.
      for (const other of rules()) await set(other, other.keptDays - 1.5);
      const rows = async () => (await app.query(`select 1 from ${rule.table}`)).length;
      await app.nest.get(Retention).purge();
      const kept = await rows();
      await set(rule, rule.keptDays);
      await app.nest.get(Retention).purge();
      const left = (await rows()) === 0 ? 'deleted' : 'left';
      seen.push(`${rule.table}.${rule.column}: ${kept > 0 ? 'kept' : 'lost'}, ${left}`);
    }
    expect(seen).toEqual(rules().map(({ table, column }) => `${table}.${column}: kept, deleted`));
  });

  it('is found by an index', async () => {
    const indexed = await app.query<{ column: string }>(
      `select distinct indrelid::regclass || '.' || attname as column from pg_index
       join pg_attribute a on attrelid = indrelid and attnum = indkey[0] where indisvalid`,
    );
    const missing = rules().filter(
      ({ table, column }) => !indexed.some((index) => index.column === `${table}.${column}`),
    );
    expect(missing).toEqual([]);
  });

  async function oldEntry() {
    const store = await app.store();
    const old = new Date(clock.now().getTime() - 31 * DAY_MS);
    await app.query(
      `insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, input, outcome,
        request_id)
       values ($1, gen_random_uuid(), $2, 'system', 'test', 'create_brand', 'http', '{}', 'ok', '')`,
      [store.id, old],
    );
    const rows = () => app.query(`select 1 from audit_log where store_id = $1`, [store.id]);
    return { store, rows };
  }

  it('stays while its store is on the way to another installation', async () => {
    const { store, rows } = await oldEntry();
    await app.query(`update stores set read_only_since = now(), moved_to = 'there/shop' where id = $1`, [
      store.id,
    ]);
    await app.nest.get(Retention).purge();
    expect(await rows()).toHaveLength(1);
    await app.query(
      `update stores set suspended_at = now(), suspended_reason = 'moved to there/shop' where id = $1`,
      [store.id],
    );
    await app.nest.get(Retention).purge();
    expect(await rows()).toEqual([]);
  });

  it('is deleted by one process at a time', async () => {
    const { rows } = await oldEntry();
    const other = await app.nest.get(Retention)['database'].pool.connect();
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock(hashtextextended('retention:audit_log', 0))`);
    await app.nest.get(Retention).purge();
    expect(await rows()).toHaveLength(1);
    await other.query('commit');
    other.release();
    await app.nest.get(Retention).purge();
    expect(await rows()).toEqual([]);
  });
});
