import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { eventually } from '../support/eventually.js';
import { ownDatabase } from '../support/database/own-database.js';
import { TestApp, type TestStore } from '../support/test-app.js';

const ROOT = path.resolve(__dirname, '../..');
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('python3 is not installed: the test of examples/receiver.py is left out');

describe("the partners' examples", () => {
  let app: TestApp;
  let store: TestStore;
  let folder: string;

  beforeAll(async () => {
    execFileSync('npm', ['run', '--silent', 'build:client'], { cwd: ROOT, stdio: 'inherit' });
    const tsc = ['node_modules/typescript/bin/tsc', '-p', 'examples/erp-sync'];
    execFileSync(process.execPath, tsc, { cwd: ROOT, stdio: 'inherit' });
    app = await TestApp.start({ database: await ownDatabase(), env: { SHOP_ROLES: 'web,deliver' } });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    store = await app.store();
    folder = mkdtempSync(path.join(tmpdir(), 'example-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const order = async (productId: string) => store.place({ items: [{ productId, quantity: 1 }] });
  const kept = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as unknown;

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
      expect(readdirSync(folder)).toEqual([]);

      await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, url));
      const { id } = await order((await store.product()).productId);
      await store.data('set_order_status', { orderId: id, status: 'PROCESSING' });
      const processing = await store.data('get_order', { orderId: id });
      // What is still being written ends in .new.
      const orders = () => readdirSync(folder).filter((file) => file.endsWith('.json'));
      await eventually('the newest state is kept', () =>
        orders().some((file) => (kept(file) as any).status === 'PROCESSING'),
      );
      expect(kept(`${id}.json`)).toEqual(processing);
      child.kill();
      expect((await run).output).toContain(`order.created`);
    },
  );
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
