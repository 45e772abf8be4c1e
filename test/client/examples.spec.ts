import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TokenRegistry } from '../../src/platform/auth/token-registry.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { eventually } from '../support/eventually.js';
import { OauthApp } from '../doors/oauth/oauth-app.js';
import { ownDatabase } from '../support/database/own-database.js';
import type { TestApp, TestStore } from '../support/test-app.js';

const ROOT = path.resolve(__dirname, '../..');
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('python3 is not installed: the examples in Python are not run');

/** The programs of docs/partners.md, by the first words of their headings, as they are printed. */
const PRINTED = Object.fromEntries(
  [
    ...readFileSync(path.join(ROOT, 'docs/partners.md'), 'utf8').matchAll(
      /^### An? (\w+)[^\n]*\n\n[^\n]+\n\n```(?:js|python)\n(.*?)^```$/gms,
    ),
  ].map(([, name, program]) => [name, program]),
);

describe("the partners' examples", () => {
  let oauth: OauthApp;
  let app: TestApp;
  let store: TestStore;
  let folder: string;

  beforeAll(async () => {
    execFileSync('npm', ['run', '--silent', 'build:client'], { cwd: ROOT, stdio: 'inherit' });
    const tsc = ['node_modules/typescript/bin/tsc', '-p', 'examples/erp-sync'];
    execFileSync(process.execPath, tsc, { cwd: ROOT, stdio: 'inherit' });
    oauth = await OauthApp.start({ database: await ownDatabase(), env: { SHOP_ROLES: 'web,deliver' } });
    app = oauth.app;
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    store = await app.store();
    folder = mkdtempSync(path.join(tmpdir(), 'example-'));
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(path.join(ROOT, 'packages/client'), path.join(folder, 'node_modules/chat-shop-client'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const order = async (productId: string) => store.place({ items: [{ productId, quantity: 1 }] });
  const kept = (file: string): any => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  const keep = (file: string, value: object) => writeFileSync(path.join(folder, file), JSON.stringify(value));
  const received = () => readdirSync(folder).filter((file) => file.endsWith('.json'));
  /** Runs a printed program to its end, in the folder. */
  const printed = async (name: string, token = store.tokens.write, ...args: string[]) => {
    const isPython = PRINTED[name].startsWith('import os');
    const file = isPython ? 'program.py' : 'program.mjs';
    writeFileSync(path.join(folder, file), PRINTED[name]);
    const PYTHONPATH = path.join(ROOT, 'packages/client-python/src');
    const env = { ...process.env, SHOP_URL: app.url, SHOP_TOKEN: token, PYTHONPATH };
    return ended(spawn(isPython ? 'python3' : process.execPath, [file, ...args], { cwd: folder, env }));
  };

  it('erp-sync names the compiler it needs, for whoever copies it', () => {
    const dependenciesOf = (file: string) =>
      (JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as { devDependencies: Record<string, string> })
        .devDependencies;
    const { typescript, '@types/node': node } = dependenciesOf('package.json');
    const named = dependenciesOf('examples/erp-sync/package.json');
    expect(named).toEqual({ typescript, '@types/node': node });
    expect(dependenciesOf('examples/storefront/package.json')).toEqual({ typescript });
  });

  it('erp-sync takes orders from the feed and puts stock levels back', async () => {
    const env = { ...process.env, SHOP_URL: app.url, SHOP_TOKEN: store.tokens.write, SYNC_FOLDER: folder };
    const sync = () => {
      const child = spawn(process.execPath, ['examples/erp-sync/dist/sync.js'], { cwd: ROOT, env });
      return ended(child);
    };
    const one = await store.product({ itemAmount: 1 });
    const two = await store.product({ itemAmount: null });
    writeFileSync(
      path.join(folder, 'stock.csv'),
      `${one.productId},7\n${two.id},0\nno-such-product,1\n${one.id},\n`,
    );

    const first = await order(one.productId);
    await store.feed();
    const run = await sync();
    expect(run.output).toContain('1 events taken\n2 stock levels put, 2 refused\n');
    expect(run.code).toBe(1);
    for (const line of ['no-such-product,1', `${one.id},`]) expect(run.errors).toContain(`${line}: `);
    expect(kept(`orders/${first.id}.json`)).toEqual(first);
    expect((await store.data('get_product', { id: one.id })).itemAmount).toBe(7);
    expect((await store.data('get_product', { id: two.id })).itemAmount).toBe(0);

    await store.data('ship_order', { orderId: first.id, carrier: 'DHL' });
    const shipped = await store.data('get_order', { orderId: first.id });
    const second = await order(one.productId);
    writeFileSync(path.join(folder, 'stock.csv'), `${one.productId},3\n`);
    await store.feed();
    expect(await sync()).toMatchObject({
      code: 0,
      output: '2 events taken\n1 stock levels put, 0 refused\n',
    });
    expect(kept(`orders/${first.id}.json`)).toEqual(shipped);
    expect(kept(`orders/${second.id}.json`)).toEqual(second);
    expect(await sync()).toMatchObject({ output: expect.stringContaining('0 events taken') });
  });

  (hasPython ? it : it.skip)(
    'receiver.py keeps the newest state of each order, and takes nothing that is not signed',
    async () => {
      const { secret } = await store.inside((ctx) =>
        app.nest.get(WebhookEndpoints).save(ctx, 'http://127.0.0.1:1/'),
      );
      const child = spawn('python3', ['examples/receiver.py'], {
        cwd: ROOT,
        env: { ...process.env, PORT: '0', FOLDER: folder, WEBHOOK_SECRET: secret! },
      });
      const run = ended(child);
      const [line] = (await once(child.stderr, 'data')) as [Buffer];
      const url = `http://127.0.0.1:${/\d+/.exec(String(line))![0]}/`;
      expect(
        (await fetch(url, { method: 'POST', body: '{}', headers: { 'X-Shop-Signature': 'a'.repeat(64) } }))
          .status,
      ).toBe(400);
      expect(received()).toEqual([]);

      await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, url));
      const { id } = await order((await store.product()).productId);
      await store.data('set_order_status', { orderId: id, status: 'PROCESSING' });
      const processing = await store.data('get_order', { orderId: id });
      // What is still being written ends in .new.
      await eventually('the newest state is kept', () =>
        received().some((file) => kept(file).status === 'PROCESSING'),
      );
      expect(kept(`${id}.json`)).toEqual(processing);

      await store.inside((ctx) => app.nest.get(WebhookEndpoints).rotateSecret(ctx, { overlap: true }));
      await store.data('ship_order', { orderId: id, carrier: 'DHL' });
      await eventually(
        'it takes what the old secret signs too',
        () => kept(`${id}.json`).status === 'SHIPPED',
      );
      child.kill();
      expect((await run).output).toContain(`order.created`);
    },
  );

  it('the ERP of docs/partners.md takes orders in, and puts stock, prices and references out', async () => {
    const { id, productId } = await store.product({ itemAmount: 1 });
    const placed = await order(productId);
    const gone = await order((await store.product()).productId);
    await store.data('delete_order', { orderId: gone.id, confirm: true });
    await store.feed();
    const missing = { productId: 'no-such-product', price: 3 };
    const prices = [{ productId, price: 12 }, missing];
    keep('erp.json', { orders: {}, stock: [{ productId, absolute: 9 }], prices });
    const run = await printed('ERP');
    expect(run.code).toBe(0);
    expect(run.errors).toContain("productId: 'no-such-product'");
    expect(kept('erp.json').orders).toEqual({ [placed.id]: placed });
    expect(await store.data('get_product', { id })).toMatchObject({ itemAmount: 9, price: 12 });
    expect((await store.data('find_orders', { text: `SO-${placed.id}` })).items).toMatchObject([
      { id: placed.id, externalId: `SO-${placed.id}` },
    ]);

    await store.data('set_order_status', { orderId: placed.id, status: 'PROCESSING' });
    await store.feed();
    await printed('ERP');
    const now = await store.data('get_order', { orderId: placed.id });
    expect(kept('erp.json').orders).toEqual({ [placed.id]: now });
  });

  it('the warehouse of docs/partners.md lists what to pack, and ships what it sent once', async () => {
    const product = await store.product();
    const placed = async () => {
      const values = { items: [{ productId: product.productId, quantity: 2 }] };
      const { id } = await store.place({ ...values, shippingAddress: { name: 'Olena' } });
      await store.data('set_order_status', { orderId: id, status: 'PROCESSING' });
      return id as number;
    };
    const [first, second] = [await placed(), await placed()];
    const list = (id: number) => `Order ${id} for Olena\n2 ${product.productId} \n`;
    expect(await printed('warehouse')).toMatchObject({ code: 0, output: list(first) + list(second) });

    const parcel = { carrier: 'DHL', trackingNumber: 'JD014600' };
    const items = [first, 999_999_999].map((orderId) => ({ orderId, ...parcel }));
    keep('parcels.json', { batch: '4711', items });
    const run = await printed('warehouse');
    expect(run).toMatchObject({ code: 0, output: list(second) });
    expect(run.errors).toContain('orderId: 999999999');
    const shipped = await store.data('get_order', { orderId: first });
    expect(shipped).toMatchObject({ status: 'SHIPPED', ...parcel });
    await printed('warehouse');
    expect(await store.data('get_order', { orderId: first })).toEqual(shipped);
  });

  it('the courier of docs/partners.md serves shops by tokens of their groups and by grants', async () => {
    const other = await app.store();
    const groups = ['list_events', 'ship_orders', 'set_order_statuses'];
    const { token } = await store.inside((ctx) =>
      app.nest.get(TokenRegistry).create(ctx, { name: 'Courier', scope: 'write', expiresAt: null, groups }),
    );
    const resource = `${oauth.issuer}/v1`;
    const grant = await oauth.tokens(oauth.person(other), { resource }, { scope: 'write' });
    const waiting = async (shop: TestStore) => {
      const { id } = await shop.place({
        items: [{ productId: (await shop.product()).productId, quantity: 1 }],
      });
      await shop.data('set_order_status', { orderId: id, status: 'PROCESSING' });
      await shop.feed();
      return id as number;
    };
    const ids = [await waiting(store), await waiting(other)];
    const none = { orders: {}, collected: [], delivered: [] };
    const revoked = { url: app.url, token: `${token.slice(0, -1)}x`, ...none };
    const keys = { clientId: oauth.agent, refreshToken: grant.refresh_token };
    keep('shops.json', [revoked, { url: app.url, token, ...none }, { url: oauth.issuer, ...keys, ...none }]);
    const run = await printed('courier', '');
    expect(run).toMatchObject({ code: 0, errors: expect.stringContaining(app.url) });
    const [, ...shops] = kept('shops.json');
    expect(shops.map(({ orders }: any) => Object.keys(orders).map(Number))).toEqual(ids.map((id) => [id]));

    const trackingNumber = 'SW-1';
    shops[0].collected = [{ orderId: ids[0], carrier: 'Swift', trackingNumber }];
    shops[1].delivered = [ids[1], 999_999_999];
    keep('shops.json', shops);
    expect((await printed('courier', '')).errors).toContain('999999999');
    const [left] = kept('shops.json');
    expect(left).toMatchObject({ collected: [], delivered: [] });
    expect(await store.data('get_order', { orderId: ids[0] })).toMatchObject({
      ...{ status: 'SHIPPED', carrier: 'Swift', trackingNumber },
    });
    expect((await other.data('get_order', { orderId: ids[1] })).status).toBe('DELIVERED');
  });

  (hasPython ? it : it.skip)('the accountant of docs/partners.md reconciles a month', async () => {
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    await store.data('update_invoice_field_config', { maxTipAmount: 500 });
    const items = [{ productId: (await store.product({ price: '9.99' })).productId, quantity: 3 }];
    const sold = await store.place({ items, promocode: 'TEN', tipAmount: 150 }, { id: '1001' }, true);
    const refunded = await store.place({ items }, { id: '1002' }, true);
    await store.data('refund_order', { orderId: refunded.id, amount: 500, reason: 'one broken' });
    const month = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const run = await printed('accountant', store.tokens.read, ...month, String(refunded.id));
    expect(run).toMatchObject({ code: 0, errors: '' });
    const books = { orders: 2, revenue: sold.totalPrice, tips: 150, refunded: 500 };
    const [sums, disputed] = run.output.replaceAll("'", '"').split('\n');
    expect(sums).toBe(`USD ${JSON.stringify(books).replaceAll(/([:,])/g, '$1 ')}`);
    expect(disputed).toContain('"reason": "one broken"');
  });
});

/** What a process printed, and its exit code. */
async function ended(child: ChildProcess): Promise<{ code: number | null; output: string; errors: string }> {
  let output = '';
  let errors = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stderr!.on('data', (chunk: Buffer) => (errors += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
}
