import pg from 'pg';
import { MIGRATIONS } from '../../../migrations/all.js';
import { checkDatabase } from '../../../src/operator/cli/doctor/database.js';
import { ConfigurationError, loadConfig } from '../../../src/platform/config/config.js';
import { prepareDatabase } from '../../../src/platform/database/installation/migrate.js';
import { namesOf } from '../../../src/platform/database/installation/migration-runner.js';
import { ownerQuery, TestApp } from '../../support/test-app.js';

describe('a DATABASE_URL of an ordinary role', () => {
  const name = `ordinary_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const key = process.env.TEST_ENCRYPTION_KEY!;
  let ownerUrl: string;

  /** @returns the URL of an empty database of that role */
  async function database(suffix = '', { owner = name, like = '' } = {}): Promise<string> {
    await ownerQuery(`create database ${name}${suffix} owner ${owner} ${like}`);
    const url = new URL(process.env.TEST_OWNER_URL!);
    Object.assign(url, { username: name, password: 'ordinary', pathname: `/${name}${suffix}` });
    return url.href;
  }

  beforeAll(async () => {
    await ownerQuery(`create role ${name} login createrole password 'ordinary'`);
    ownerUrl = await database();
  });

  it('is enough to start on, again and again, and to serve', async () => {
    const first = await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    const again = await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    expect({ ...again, applied: [] }).toEqual({ ...first, applied: [] });
    expect([first.applied, again.applied]).toEqual([namesOf(MIGRATIONS), []]);
    const app = await TestApp.start({
      database: { ownerUrl, storeUrl: again.store, systemUrl: again.system },
    });
    // The counter of orders could not be set by this owner, who sees no rows.
    const store = await app.store({ isNumberedFromOne: true });
    const { productId } = await store.data('create_product', PRODUCT);
    const { id } = await store.place({ items: [{ productId, quantity: 1 }] });
    expect(await store.data('set_order_status', { orderId: id, status: 'PROCESSING' })).toMatchObject({
      status: 'PROCESSING',
    });
    expect(await store.data('list_customers', { search: 'nobody' })).toEqual({ items: [], nextCursor: null });
    expect(await store.data('get_analytics')).toMatchObject({ orderCount: 1 });
    await app.stop();
  });

  it('lets instances that start together on an empty database wait for each other', async () => {
    const empty = await database('_together');
    const prepared = await Promise.all([1, 2, 3].map(() => prepareDatabase(empty, [key], MIGRATIONS)));
    expect(new Set(prepared.map(({ store }) => store)).size).toBe(1);
    expect(prepared.flatMap(({ applied }) => applied)).toEqual(namesOf(MIGRATIONS));
    const client = new pg.Client({ connectionString: prepared[0].store });
    await client.connect();
    await client.end();
  });

  it('is refused with the cure if it cannot make its tables, as doctor says', async () => {
    const [{ superuser }] = await ownerQuery<{ superuser: string }>(
      'select quote_ident(current_user) as superuser',
    );
    const poor = `${name}_poor`;
    await ownerQuery(`create role ${poor} login password 'ordinary'`);
    const ofPoor = new URL(await database('_of_poor', { owner: poor }));
    ofPoor.username = poor;
    const cases = {
      [await database('_not_own', { owner: superuser })]: [
        /may not make tables/,
        `alter database ${name}_not_own owner to ${name}`,
      ],
      [await database('_ascii', { like: `encoding 'SQL_ASCII' locale 'C' template template0` })]: [
        /encoding SQL_ASCII/,
        `encoding 'UTF8'`,
      ],
      [ofPoor.href]: [/may not make the roles/, `alter role ${poor} createrole`],
    } as Record<string, [RegExp, string]>;
    for (const [url, [found, cure]] of Object.entries(cases)) {
      const refused = prepareDatabase(url, [key], MIGRATIONS);
      await expect(refused).rejects.toThrow(ConfigurationError);
      await expect(refused).rejects.toThrow(found);
      await expect(refused).rejects.toThrow(cure);
      const checks = await checkDatabase(loadConfig({ DATABASE_URL: url, ENCRYPTION_KEY: key }));
      expect(checks.filter(({ ok }) => !ok)).toEqual([
        {
          check: 'schema',
          ok: false,
          level: 'error',
          found: expect.stringMatching(found),
          cure: expect.stringContaining(cure),
        },
      ]);
    }
    expect(
      await ownerQuery(`select rolname from pg_roles where rolname ~ $1`, [
        `^${name}_(not_own|ascii|of_poor)_`,
      ]),
    ).toEqual([]);
  });
});

const PRODUCT = {
  productId: 'p-1',
  title: 'One',
  description: '',
  images: ['https://images.example/1.jpg'],
  price: 5,
};
