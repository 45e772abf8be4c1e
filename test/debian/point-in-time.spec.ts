import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { eventually } from '../support/eventually.js';
import { DebianPostgres } from '../support/servers/debian-postgres.js';
import { shopProcess } from '../support/servers/service-process.js';
import { ownerQuery, TestApp, TestStore } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;
const ROOT = path.resolve(__dirname, '../..');
const isInstalled = spawnSync('pgbackrest', ['version']).status === 0;
if (!isInstalled) console.warn("the test of point-in-time recovery needs Debian's pgbackrest");

/** Puts deploy/pgbackrest.conf, with folders of the test, into the folder. */
function configure(folder: string, values: Record<string, string>): void {
  let text = readFileSync(path.join(ROOT, 'deploy/pgbackrest.conf'), 'utf8');
  for (const name of ['log', 'lock', 'spool', 'repo1']) {
    const own = path.join(folder, name);
    mkdirSync(own, { mode: 0o777 });
    execFileSync('chmod', ['777', own]);
    const line = `${name}-path=${own}`;
    const printedLine = new RegExp(`^${name}-path=.*$`, 'm');
    text = printedLine.test(text)
      ? text.replace(printedLine, line)
      : text.replace('[global]', `[global]\n${line}`);
  }
  for (const [name, value] of Object.entries(values)) {
    expect(text).toContain(`\n${name}=`);
    text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
  }
  writeFileSync(path.join(folder, 'pgbackrest.conf'), text);
}

(isInstalled ? describe : describe.skip)('a server with pgBackRest', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-point-in-time-'));
  const config = path.join(folder, 'pgbackrest.conf');
  const archiving = {
    archive_mode: 'on',
    archive_timeout: '60',
    archive_command: `pgbackrest --config=${config} --stanza=shop archive-push %p`,
  };
  let server: DebianPostgres;
  let app: TestApp | undefined;
  let url: string;

  beforeAll(async () => {
    execFileSync('chmod', ['755', folder]);
    server = await DebianPostgres.start(archiving);
    configure(folder, { 'pg1-path': server.data, 'pg1-port': new URL(server.url).port });
    url = await server.database('shop_recovered');
  }, 60_000);
  afterAll(async () => {
    await app?.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const pgbackrest = (...args: string[]) =>
    server.asServer('pgbackrest', `--config=${config}`, '--stanza=shop', ...args);
  const serve = async () => {
    const { store, system } = await prepareDatabase(url, [KEY], MIGRATIONS);
    return TestApp.start({ database: { ownerUrl: url, storeUrl: store, systemUrl: system } });
  };
  const order = async (store: TestStore) => {
    const { id } = await store.place({ items: [{ productId: 'mug', quantity: 1 }] });
    return id;
  };

  it('is back at a moment, with the feeds of events and changes right', async () => {
    app = await serve();
    const store = await app.store();
    await store.product({ productId: 'mug' });
    await pgbackrest('stanza-create');
    await pgbackrest('--type=full', 'backup');
    const ended = Date.now();
    const kept = await order(store);
    const { nextCursor } = await store.feed();
    // pgBackRest compares whole seconds.
    await eventually('the moment is after the backup', () => Date.now() > ended + 1_000);
    const [{ moment }] = await ownerQuery<{ moment: string }>(
      'select clock_timestamp()::text as moment',
      [],
      url,
    );
    const lost = [await order(store), await order(store), await order(store)];
    const later = await store.feed();
    const changes = await store.data('list_changes');
    await ownerQuery('select pg_switch_wal()', [], server.url);
    await app.stop();

    await server.whileStopped({ ...archiving }, () =>
      pgbackrest('--delta', '--type=time', `--target=${moment}`, '--target-action=promote', 'restore'),
    );
    await eventually('the server is promoted', async () => {
      const [{ standby }] = await ownerQuery<{ standby: boolean }>(
        'select pg_is_in_recovery() as standby',
        [],
        url,
      );
      return !standby;
    });
    const environment = { DATABASE_URL: url, ENCRYPTION_KEY: KEY };
    expect(await shopProcess(environment, 'recovered')).toMatchObject({ code: 0, output: { epoch: 2 } });

    app = await serve();
    const again = new TestStore(
      app,
      store.id,
      store.currency,
      store.tokens,
      store.tokenIds,
      store.ownerEmail,
    );
    expect((await again.data('get_order', { orderId: kept })).id).toBe(kept);
    for (const orderId of lost) expect((await again.call('get_order', { orderId })).status).toBe(404);
    const placed = await order(again);
    // Whoever has read what is lost starts anew, all others go on.
    const since = async () => (await again.data('list_events', { cursor: nextCursor })).items;
    await eventually('the new order is told', async () => (await since()).length > 0);
    expect(await since()).toMatchObject([{ event: 'order.created', data: { id: placed } }]);
    const refused = (message: string) => ({
      status: 400,
      body: { error: { message: expect.stringContaining(message) } },
    });
    expect(await again.call('list_events', { cursor: later.nextCursor })).toMatchObject(
      refused('cursor names an event that is not here'),
    );
    expect(await again.call('list_changes', { cursor: changes.nextCursor })).toMatchObject(
      refused('cursor is of another server'),
    );
  }, 180_000);
});
