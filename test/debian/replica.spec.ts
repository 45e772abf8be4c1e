import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { Replica } from '../../src/platform/database/connections/replica.js';
import { eventually } from '../support/eventually.js';
import { DebianPostgres } from '../support/servers/debian-postgres.js';
import { TestApp, type TestStore } from '../support/test-app.js';

const STATUSES = ['PROCESSING', 'SHIPPED', 'DELIVERED', 'PENDING'];
/** The orders of a customer are declared a long read; `1001` places all orders of a test. */
const LONG_READ = { customerId: '1001', sort: 'recently_updated' };

/** One instance reads from the standby, another writes: neither knows what the other does. */
describe('long reads on a standby', () => {
  let primary: DebianPostgres;
  let standby: DebianPostgres;
  let [reader, writer]: TestApp[] = [];
  let store: TestStore;
  let replica: Replica;
  let orderId: number;

  beforeAll(async () => {
    primary = await DebianPostgres.start();
    standby = await primary.standby();
    const ownerUrl = await primary.database('shop');
    const { store: storeUrl, system: systemUrl } = await prepareDatabase(
      ownerUrl,
      [process.env.TEST_ENCRYPTION_KEY!],
      MIGRATIONS,
    );
    const database = { ownerUrl, storeUrl, systemUrl };
    const replicaUrl = Object.assign(new URL(storeUrl), { port: new URL(standby.url).port }).href;
    writer = await TestApp.start({ database });
    reader = await TestApp.start({ database: { ...database, replicaUrl } });
    replica = reader.nest.get(Replica);
    store = await writer.store();
    const { productId } = await store.product();
    ({ id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] }));
  });
  afterAll(async () => {
    await reader.stop();
    await writer.stop();
    await standby.stop();
    await primary.stop();
  });

  const find = async () => {
    const { body } = await reader.post('/v1/find_orders', LONG_READ, {
      Authorization: `Bearer ${store.tokens.read}`,
    });
    return body.data!.items as { id: number; status: string; updatedAt: string }[];
  };
  let turn = 0;
  /** @returns what the caller has seen by then */
  const change = async (): Promise<{ id: number; status: string; updatedAt: string }> =>
    (await store.data('set_order_status', { orderId, status: STATUSES[turn++ % STATUSES.length] })).order;

  /** Reads until the standby answers one. */
  async function answeredAgain(): Promise<void> {
    const before = replica.answered;
    await eventually('the standby answers a read', async () => {
      await find();
      return replica.answered > before;
    });
  }

  const figures = () => ({ answered: replica.answered, leftToPrimary: replica.leftToPrimary });

  it('are answered by the standby', async () => {
    await answeredAgain();
    const [{ n }] = await standby.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where application_name = 'shop-replica'
        and query like '%commit%'`,
    );
    expect(n).toBeGreaterThan(0);
  });

  it('are answered by the primary while it lags, and by itself when it has caught up', async () => {
    await standby.query('select pg_wal_replay_pause()');
    try {
      const before = figures();
      const seen = await change();
      expect(await find()).toMatchObject([{ id: orderId, status: seen.status, updatedAt: seen.updatedAt }]);
      expect(figures()).toEqual({ answered: before.answered, leftToPrimary: before.leftToPrimary + 1 });
      const rows = await standby.query<{ paused: boolean }>('select pg_is_wal_replay_paused() as paused');
      expect(rows).toEqual([{ paused: true }]);
    } finally {
      await standby.query('select pg_wal_replay_resume()');
    }
    await answeredAgain();
    expect(await find()).toMatchObject([
      { id: orderId, status: (await store.data('get_order', { orderId })).status },
    ]);
  });

  it('never miss what a caller has seen, however the standby lags', async () => {
    const before = figures();
    for (let n = 0; n < 60; n++) {
      await standby.query(
        `alter system set recovery_min_apply_delay = '${n < 30 ? [0, 40][n % 2] : [0, 40, 300][n % 3]}ms'`,
      );
      await standby.query('select pg_reload_conf()');
      const seen = await change();
      const [found] = await find();
      expect([found.status, found.updatedAt]).toEqual([seen.status, seen.updatedAt]);
    }
    expect(figures().answered).toBeGreaterThan(before.answered);
    await standby.query('alter system reset recovery_min_apply_delay');
    await standby.query('select pg_reload_conf()');
    expect(figures().answered + figures().leftToPrimary).toBe(before.answered + before.leftToPrimary + 60);
    await answeredAgain();
  });

  it('are answered by the primary once the standby was promoted', async () => {
    const other = await primary.standby();
    const url = Object.assign(new URL(reader.database.storeUrl), { port: new URL(other.url).port }).href;
    const third = await TestApp.start({ database: { ...reader.database, replicaUrl: url } });
    try {
      await other.query('select pg_promote()');
      const seen = await change();
      const answer = await third.post('/v1/find_orders', LONG_READ, {
        Authorization: `Bearer ${store.tokens.read}`,
      });
      expect(answer.body.data!.items).toMatchObject([{ updatedAt: seen.updatedAt }]);
      expect(third.nest.get(Replica).answered).toBe(0);
    } finally {
      await third.stop();
      await other.stop();
    }
  });

  it('continue when it stops, and readiness does not change', async () => {
    await answeredAgain();
    await standby.stop();
    const before = figures();
    const seen = await change();
    for (let n = 0; n < 3; n++) expect(await find()).toMatchObject([{ updatedAt: seen.updatedAt }]);
    expect(figures()).toEqual({ answered: before.answered, leftToPrimary: before.leftToPrimary + 3 });
    expect((await fetch(`${reader.url}/health/ready`)).status).toBe(200);
  });
});
