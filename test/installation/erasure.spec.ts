import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { ReceivedPayments } from '../../src/groups/payments/received-payments.service.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { deleteStore } from '../../src/operator/backup/delete-store.js';
import { readFeed } from '../groups/feeds/read-feed.js';
import { eventually } from '../support/eventually.js';
import { emptyTables, everyRow, fillEmptyTables } from '../support/database/every-table.js';
import { preparedDatabase, type TestDatabase } from '../support/database/own-database.js';
import { Receiver } from '../support/servers/receiver.js';
import { shop, shopInShell } from '../support/servers/service-process.js';
import { ownerQuery, TestApp, type TestStore } from '../support/test-app.js';

/** What tells who the customer is, in every place that it can be entered. */
const PERSON = { firstName: 'Zdenka', lastName: 'Quibbleton', username: 'zdenka_q', id: '9007199254740995' };
const ADDRESS = {
  name: 'Zdenka Quibbleton',
  phone: '+380671112233',
  email: 'zdenka@quibbleton.example',
  street: 'Vinegar Lane 77',
};
const NEEDLES = [
  'Zdenka',
  'Quibbleton',
  'zdenka_q',
  '380671112233',
  'zdenka@',
  'Vinegar Lane',
  'TRACK-4711',
  'left at the neighbour',
  'ring thrice',
  'Quibbleton-4711',
];

let database: TestDatabase;
let app: TestApp;
let receiver: Receiver;
const folder = mkdtempSync(path.join(tmpdir(), 'shop-erasure-'));
const env = () => ({ DATABASE_URL: database.ownerUrl, ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY! });

beforeAll(async () => {
  database = await preparedDatabase();
  app = await TestApp.start({ database, env: { SHOP_ROLES: 'web,deliver' } });
  // One writes down every 15 s which tokens were used, and rows are compared here.
  await app.stopJobs();
  receiver = await Receiver.start();
});
afterAll(async () => {
  await app.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Rows that hold a text, also in bytes. */
async function rowsWith(needles: string[], storeId: string): Promise<string[]> {
  const rows = Object.entries(await everyRow(database.ownerUrl)).flatMap(([table, texts]) =>
    texts.map((row) => [table, row]),
  );
  const spellings = needles.flatMap((needle) => [needle.toLowerCase(), Buffer.from(needle).toString('hex')]);
  return rows
    .filter(
      ([table, row]) =>
        (table === 'stores' || row.includes(storeId)) && spellings.some((s) => row.toLowerCase().includes(s)),
    )
    .map(([table, row]) => `${table}: ${row}`);
}

/** Waits until the store's webhooks have arrived, and what came of them is written down. */
const allDelivered = (store: TestStore) =>
  eventually('everything is delivered', async () => {
    const ofStore = 'select status from webhook_deliveries where store_id = $1';
    const rows = await ownerQuery<{ status: string }>(ofStore, [store.id], database.ownerUrl);
    return rows.length > 0 && rows.every(({ status }) => status === 'delivered');
  });

const changesOf = (store: TestStore, count: number, cursor?: string) =>
  readFeed<unknown>((input) => store.data('list_changes', input), count, cursor);

describe('an erased customer', () => {
  let store: TestStore;

  async function orderOf(person: { id: string }, address: object): Promise<any> {
    const { productId } = await store.product();
    const items = [{ productId, quantity: 1 }];
    const checkoutData = [{ id: 'comment', label: 'Comment', type: 'text', value: 'Please ring thrice' }];
    const order = await store.place({ items, shippingAddress: address, checkoutData }, person, true);
    await store.data('add_order_note', { orderId: order.id, note: `${ADDRESS.name}: left at the neighbour` });
    await store.data('set_order_reference', {
      orderId: order.id,
      externalId: 'Quibbleton-4711',
      metadata: { contact: ADDRESS.email },
    });
    await store.data('ship_order', {
      orderId: order.id,
      carrier: 'DHL',
      trackingNumber: 'TRACK-4711',
      trackingUrl: 'https://t.example/TRACK-4711',
    });
    await store.call(
      'set_order_status',
      { orderId: order.id, status: 'DELIVERED' },
      { headers: { 'Idempotency-Key': `k-${order.id}` } },
    );
    return order;
  }

  it('is no longer in any row, while sums stay, and erasing again changes nothing', async () => {
    store = await app.store();
    await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url));
    const comment = { id: 'comment', label: 'Comment', type: 'text', required: false, defaultVisible: true };
    await store.data('update_checkout', { fields: [comment] });
    const order = await orderOf(PERSON, ADDRESS);
    await store.data('update_customer', { id: PERSON.id, firstName: 'Zdenka', lastName: 'Quibbleton' });
    await store.data('set_customer_reference', {
      id: PERSON.id,
      externalId: 'Quibbleton-4711',
      metadata: { contact: ADDRESS.email },
    });
    await store.data('adjust_bonus', { customerId: PERSON.id, delta: 5, reason: 'Zdenka was kind' });
    const payment = {
      ...{ chargeId: 'charge', providerChargeId: null, payerId: PERSON.id, invoicePayload: '0' },
      ...{ orderId: null, currency: 'USD', amount: 1, outcome: 'unknown_order' as const, orderInfo: ADDRESS },
    };
    await store.inside((ctx) => app.nest.get(ReceivedPayments).keep(ctx, payment));
    await receiver.waitFor(3);
    const other = await store.place(
      {
        items: [{ productId: (await store.product()).productId, quantity: 1 }],
        shippingAddress: { name: 'Somebody Else' },
      },
      { id: '77', firstName: 'Else' },
    );
    const sums = async () => {
      const { from: _, to: __, ...analytics } = await store.data('get_analytics', { period: '7d' });
      return [analytics, await store.data('get_order', { orderId: other.id })];
    };
    const before = await sums();
    expect((await rowsWith(NEEDLES, store.id)).length).toBeGreaterThan(8);

    const { nextCursor: cursor } = await changesOf(store, 4);
    const erase = () => shop(env(), 'customer', 'erase', '--store', store.id, '--customer', PERSON.id);
    expect(await erase()).toMatchObject({ code: 0, output: { customerId: PERSON.id, orders: 1 } });
    expect(await rowsWith(NEEDLES, store.id)).toEqual([]);
    expect(await sums()).toEqual(before);
    // Readers of the feed are told to fetch the customer again, and nothing about the person.
    expect((await changesOf(store, 1, cursor)).items).toEqual([
      { kind: 'customer', id: PERSON.id, productId: null, change: 'updated', at: expect.any(String) },
    ]);
    const kept = await store.data('get_order', { orderId: order.id });
    expect(kept).toMatchObject({
      totalPrice: order.totalPrice,
      status: 'DELIVERED',
      shippingAddress: null,
      checkoutData: null,
      trackingNumber: null,
    });
    expect(await store.data('get_customer', { id: PERSON.id })).toMatchObject({
      firstName: null,
      orderCount: 1,
      bonusBalance: 5,
    });
    expect(
      await ownerQuery(
        `select target, input from audit_log where operation = 'customer.erase'`,
        [],
        database.ownerUrl,
      ),
    ).toEqual([{ target: `customer:${PERSON.id}`, input: { customer: PERSON.id } }]);
    expect(
      await ownerQuery('select command, target, details from operator_log', [], database.ownerUrl),
    ).toEqual([
      {
        command: 'customer erase',
        target: `customer:${PERSON.id}`,
        details: { store: store.id, orders: 1 },
      },
    ]);

    await allDelivered(store);
    const rows = await everyRow(database.ownerUrl, (_, hasStore) =>
      hasStore ? `where store_id = '${store.id}'` : '',
    );
    expect(await erase()).toMatchObject({ code: 0 });
    const again = await everyRow(database.ownerUrl, (_, hasStore) =>
      hasStore ? `where store_id = '${store.id}'` : '',
    );
    expect({ ...again, audit_log: [] }).toEqual({ ...rows, audit_log: [] });
    expect(await shop(env(), 'customer', 'erase', '--store', store.id, '--customer', '4242')).toMatchObject({
      code: 1,
      output: { error: { code: 'not_found' } },
    });
  });
});

describe('a customer whose orders alone told who it was', () => {
  it('is told as changed when it is erased, because a phone number is gone', async () => {
    const store = await app.store();
    const items = [{ productId: (await store.product()).productId, quantity: 1 }];
    await store.place({ items, shippingAddress: { phone_number: ADDRESS.phone } }, { id: '4711' });
    const { nextCursor } = await changesOf(store, 2);
    const [found] = (await store.data('find_customers', { text: '671112233' })).items;
    expect(found).toMatchObject({ id: '4711', phone: ADDRESS.phone });
    const erase = () => shop(env(), 'customer', 'erase', '--store', store.id, '--customer', '4711');
    expect(await erase()).toMatchObject({ code: 0 });
    const told = await changesOf(store, 1, nextCursor);
    expect(told.items).toMatchObject([{ kind: 'customer', id: '4711', change: 'updated' }]);
    expect((await store.data('find_customers')).items).toMatchObject([{ id: '4711', phone: null }]);
    await erase();
    expect(await store.data('list_changes', { cursor: told.nextCursor })).toMatchObject({ items: [] });
  });
});

describe('a store', () => {
  it('is exported completely, without secrets', async () => {
    const store = await app.store({ name: 'Exported shop' });
    await store.place({ items: [{ productId: (await store.product()).productId, quantity: 2 }] });
    await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url));
    await fillEmptyTables(database.ownerUrl, store.id);
    const to = path.join(folder, 'exported');
    const { code, output } = await shop(env(), 'store', 'export', '--store', store.id, '--to', to);
    expect({ code, error: output.error, store: output.store }).toEqual({
      code: 0,
      error: undefined,
      store: { id: store.id, name: 'Exported shop' },
    });
    const listed = JSON.parse(readFileSync(path.join(to, 'export.json'), 'utf8')) as {
      format: number;
      tables: { file: string; rows: number }[];
    };
    expect(listed.format).toBe(1);
    const texts = listed.tables.map(({ file, rows }) => {
      const lines = readFileSync(path.join(to, file), 'utf8').split('\n').slice(0, -1);
      expect({ file, rows: lines.length }).toEqual({ file, rows });
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    });
    expect(listed.tables.every(({ rows }) => rows > 0)).toBe(true);
    expect(texts.flat().every((row) => row.store_id === store.id || row.id === store.id)).toBe(true);
    expect(
      texts
        .flat()
        .flatMap(Object.keys)
        .filter((name) => /^sealed|_hash$/.test(name)),
    ).toEqual([]);
    const rowsOf = (table: string) => texts[listed.tables.findIndex(({ file }) => file === `${table}.jsonl`)];
    expect(rowsOf('pictures').map(({ bytes }) => Buffer.from(String(bytes), 'base64'))).toEqual([
      Buffer.from([0, 9, 10, 92, 255]),
    ]);
    const members = rowsOf('store_members');
    expect(members).toMatchObject([{ role: 'owner', email: store.ownerEmail }]);
    expect(await shop(env(), 'store', 'export', '--store', store.id, '--to', to)).toMatchObject({
      code: 1,
      output: { error: { code: 'invalid_input' } },
    });
  });

  it('is exported completely or not at all, also by two exports at once or with a full disk', async () => {
    const store = await app.store();
    const exportTo = (name: string) => [
      'store',
      'export',
      '--store',
      store.id,
      '--to',
      path.join(folder, name),
    ];
    const both = await Promise.all([1, 2].map(() => shop(env(), ...exportTo('twice'))));
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    const refused = both.find(({ code }) => code === 1)!;
    expect(refused.output.error).toEqual({ code: 'invalid_input', message: expect.stringMatching(/^to/) });
    const { code, stdout, stderr } = await shopInShell(
      env(),
      'ulimit -f 0; "$@" --json',
      ...exportTo('full'),
    );
    expect([code, stderr, JSON.parse(stdout)]).toEqual([
      1,
      '',
      { error: { code: 'invalid_input', message: expect.stringMatching(/^to could not be written: EFBIG/) } },
    ]);
    const nowhere = await shop(env(), ...exportTo('none/folder'));
    expect(nowhere.output).toMatchObject({
      error: { message: expect.stringMatching(/^to could not be written: ENOENT/) },
    });
    expect(readdirSync(folder).filter((name) => name !== 'exported')).toEqual(['twice']);
  });

  it('leaves no row in any table when it is deleted, and other stores do not change', async () => {
    const [gone, stays] = [await app.store({ name: 'Gone shop' }), await app.store({ name: 'Staying shop' })];
    for (const store of [gone, stays]) {
      await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url));
      await store.place(
        { items: [{ productId: (await store.product()).productId, quantity: 2 }] },
        { id: '11', firstName: 'Referrer' },
      );
    }
    // A bot belongs to one store.
    await ownerQuery('delete from bots', [], database.ownerUrl);
    // What is due is delivered meanwhile, which empties a table.
    await eventually('every table has rows of the store', async () => {
      await fillEmptyTables(database.ownerUrl, gone.id);
      return (await emptyTables(database.ownerUrl, gone.id)).length === 0;
    });
    // More than a batch, and customers who refer to each other.
    await ownerQuery(
      `insert into customers (store_id, id, referrer_id, created_at, updated_at)
        select $1, 100 + n, 11, now(), now() from generate_series(1, 2500) n`,
      [gone.id],
      database.ownerUrl,
    );
    const others = () =>
      everyRow(database.ownerUrl, (table, hasStore) =>
        hasStore
          ? `where store_id = '${stays.id}'`
          : table === 'stores'
            ? `where id = '${stays.id}'`
            : 'where false',
      );
    await allDelivered(stays);
    const before = await others();
    const remove = (...args: string[]) => shop(env(), 'store', 'delete', '--store', gone.id, ...args);
    for (const args of [
      [],
      ['--confirm', 'gone shop'],
      ['--confirm', stays.id, '--yes'],
      ['--confirm', '', '--yes'],
    ]) {
      expect(await remove(...args)).toMatchObject({
        code: 1,
        output: { error: { code: 'invalid_input', message: expect.stringContaining('Gone shop') } },
      });
    }
    const reads = async () => (await gone.call('list_orders', {}, { scope: 'read' })).status;
    expect(await reads()).toBe(200);
    expect(await remove('--confirm', 'Gone shop')).toMatchObject({
      code: 0,
      output: { id: gone.id, name: 'Gone shop', accounts: 1 },
    });
    const left = Object.entries(await everyRow(database.ownerUrl)).filter(([, rows]) =>
      rows.some((row) => row.includes(gone.id)),
    );
    expect(left).toEqual([]);
    expect(
      await ownerQuery('select 1 from users where email = $1', [gone.ownerEmail], database.ownerUrl),
    ).toEqual([]);
    expect(await others()).toEqual(before);
    expect(await reads()).toBe(401);
    expect(await remove('--yes')).toMatchObject({ code: 1, output: { error: { code: 'not_found' } } });
    // Cut short after the store itself went: what is left is gone by the next run all the same.
    expect(await deleteStore(database.systemUrl, gone.id, pino({ level: 'silent' }))).toEqual({
      rows: 0,
      accounts: 0,
      before: {},
      after: {},
    });
  });
});
