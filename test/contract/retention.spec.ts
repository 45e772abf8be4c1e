import { PURGE_BATCH, Retention } from '../../src/platform/database/retention.service.js';
import { ownDatabase } from '../support/own-database.js';
import { TestApp, TestClock } from '../support/test-app.js';

const DAY_MS = 24 * 3_600_000;

describe('what is kept for a time', () => {
  const clock = new TestClock();
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ clock, database: await ownDatabase(), env: { AUDIT_DAYS: '30' } });
  });
  afterAll(() => app.stop());

  it('idempotency keys are deleted after a day, and only they', async () => {
    const store = await app.store();
    const brand = (slug: string) => store.call('create_brand', { name: slug, slug }, { headers: { 'Idempotency-Key': slug } });
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
      `insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, target, input, outcome, request_id)
       select $1, gen_random_uuid(), $2::timestamptz - n * interval '1 minute', 'system', 'test', 'create_brand', 'http', 'brand:' || n, '{}', 'ok', ''
       from generate_series(-1, $3::integer) n`,
      [store.id, last, PURGE_BATCH + 100],
    );
    await app.nest.get(Retention).purge();
    const rows = await app.query(`select target from audit_log where store_id = $1`, [store.id]);
    expect(rows).toEqual([{ target: 'brand:-1' }]);
  });

  it('is deleted by one process at a time', async () => {
    const store = await app.store();
    const old = new Date(clock.now().getTime() - 31 * DAY_MS);
    await app.query(
      `insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, input, outcome, request_id)
       values ($1, gen_random_uuid(), $2, 'system', 'test', 'create_brand', 'http', '{}', 'ok', '')`,
      [store.id, old],
    );
    const rows = () => app.query(`select 1 from audit_log where store_id = $1`, [store.id]);
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
