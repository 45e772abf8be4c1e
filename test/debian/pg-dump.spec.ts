import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { DebianPostgres } from '../support/servers/debian-postgres.js';
import { everyRow } from '../support/database/every-table.js';
import { TestApp } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;

describe("a superuser's pg_dump", () => {
  let first: DebianPostgres;
  let second: DebianPostgres;

  beforeAll(async () => {
    [first, second] = [await DebianPostgres.start(), await DebianPostgres.start()];
  });
  afterAll(async () => {
    await first.stop();
    await second.stop();
  });

  it.each([
    ['under another name on the same server', () => first],
    ['on a server without the roles', () => second],
  ])(
    'restored %s serves after the next start',
    async (_, target) => {
      const name = `shop_${Math.random().toString(36).slice(2, 8)}`;
      const source = await first.database(name);
      const prepared = await prepareDatabase(source, [KEY], MIGRATIONS);
      const app = await TestApp.start({
        database: { ownerUrl: source, storeUrl: prepared.store, systemUrl: prepared.system },
      });
      const store = await app.store();
      const { productId } = await store.product();
      const order = await store.place({ items: [{ productId, quantity: 1 }] });
      await app.stop();
      const dump = `/tmp/${name}.dump`;
      await first.run('pg_dump', '--format=custom', '--file', dump, '--dbname', source);
      const restored = await target().database(`${name}_again`);
      // It exits 1 where policies and grants name roles that are not there.
      await target()
        .run('pg_restore', '--dbname', restored, dump)
        .catch(() => undefined);

      const again = await prepareDatabase(restored, [KEY], MIGRATIONS);
      expect(again.repaired).not.toEqual([]);
      expect(await everyRow(restored)).toEqual(await everyRow(source));
      const other = await TestApp.start({
        database: { ownerUrl: restored, storeUrl: again.store, systemUrl: again.system },
      });
      const answer = await other.post(
        '/v1/get_order',
        { orderId: order.id },
        { Authorization: `Bearer ${store.tokens.read}` },
      );
      expect(answer.body).toEqual({ ok: true, data: order });
      await other.stop();
    },
    90_000,
  );
});
