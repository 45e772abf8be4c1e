import pg from 'pg';
import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/migrate.js';
import { ownerQuery, TestApp } from '../support/test-app.js';

describe('a DATABASE_URL of an ordinary role', () => {
  const name = `ordinary_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const key = process.env.TEST_ENCRYPTION_KEY!;
  let ownerUrl: string;

  beforeAll(async () => {
    await ownerQuery(`create role ${name} login createrole password 'ordinary'`);
    await ownerQuery(`create database ${name} owner ${name}`);
    const url = new URL(process.env.TEST_OWNER_URL!);
    Object.assign(url, { username: name, password: 'ordinary', pathname: `/${name}` });
    ownerUrl = url.href;
  });

  it('is enough to start on, again and again, and to serve', async () => {
    const first = await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    const again = await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    expect({ ...again, applied: [] }).toEqual({ ...first, applied: [] });
    expect([first.applied.length, again.applied]).toEqual([MIGRATIONS.length, []]);
    const app = await TestApp.start({ database: { ownerUrl, storeUrl: again.store, systemUrl: again.system } });
    const store = await app.store();
    const { productId } = await store.data('create_product', PRODUCT);
    const { id } = await store.place({ items: [{ productId, quantity: 1 }] });
    expect(await store.data('set_order_status', { orderId: id, status: 'PROCESSING' })).toMatchObject({ status: 'PROCESSING' });
    expect(await store.data('list_customers', { search: 'nobody' })).toEqual({ items: [], nextCursor: null });
    expect(await store.data('get_analytics')).toMatchObject({ orderCount: 1 });
    await app.stop();
  });

  it('lets instances that start together wait for each other', async () => {
    const prepared = await Promise.all([1, 2, 3].map(() => prepareDatabase(ownerUrl, [key], MIGRATIONS)));
    expect(new Set(prepared.map(({ store }) => store)).size).toBe(1);
    const client = new pg.Client({ connectionString: prepared[0].store });
    await client.connect();
    await client.end();
  });
});

const PRODUCT = { productId: 'p-1', title: 'One', description: '', images: ['https://images.example/1.jpg'], price: 5 };
