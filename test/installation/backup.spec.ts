import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { emptyTables, everyRow } from '../support/database/every-table.js';
import { FullShop } from '../support/full-shop.js';
import { emptyDatabase, type TestDatabase } from '../support/database/own-database.js';
import { ServiceProcess, shop, shopInShell } from '../support/servers/service-process.js';
import { ownerQuery, TestApp } from '../support/test-app.js';

const key = randomBytes(32).toString('base64');

async function prepared(ownerUrl: string, keys = [key]): Promise<TestDatabase> {
  const { store, system } = await prepareDatabase(ownerUrl, keys, MIGRATIONS);
  return { ownerUrl, storeUrl: store, systemUrl: system };
}

const ordinal = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('a backup', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-backup-'));
  const whole = path.join(folder, 'whole.backup');
  const single = path.join(folder, 'store.backup');
  let source: TestDatabase;
  let full: FullShop;
  let everything: Record<string, string[]>;

  const env = (ownerUrl: string, keys = key) => ({ DATABASE_URL: ownerUrl, ENCRYPTION_KEY: keys });
  const isOfStore = (row: string) => row.includes(full.id);

  beforeAll(async () => {
    source = await prepared(await emptyDatabase());
    full = await FullShop.create(source, [key]);
    // Another shop beside it, with people of its own, and rows enough for several pieces of the stream.
    const app = await TestApp.start({ database: source, encryptionKeys: [key] });
    const other = await app.store({ name: 'Other shop' });
    await app.stop();
    await ownerQuery(
      `insert into customers (store_id, id, first_name, created_at, updated_at)
       select $1, n, 'Näme' || chr(9) || chr(10) || chr(92) || '.' || chr(10) || n, now(), now()
         from generate_series(1, 20000) n`,
      [other.id],
      source.ownerUrl,
    );
    await ownerQuery(
      `insert into orders (store_id, status, payment_method, total_price, currency, messenger_user_id,
        created_at, updated_at)
       select $1, 'PROCESSING', 'cash', 100, 'USD', n, now(), now() from generate_series(1, 5000) n`,
      [other.id],
      source.ownerUrl,
    );
    expect(await emptyTables(source.ownerUrl, full.id)).toEqual([]);
    everything = await everyRow(source.ownerUrl);
    const written = await shop(env(source.ownerUrl), 'backup', '--to', whole);
    expect(written).toMatchObject({ code: 0, output: { file: whole, stores: 2, store: null } });
    expect(written.output.rows).toBe(Object.values(everything).flat().length);
    expect(await shop(env(source.ownerUrl), 'backup', '--to', single, '--store', full.id)).toMatchObject({
      code: 0,
      output: { stores: 1, store: { id: full.id, name: 'Full shop' } },
    });
  });
  afterAll(async () => {
    await full.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('of everything restores into an empty database of another name, which then works', async () => {
    const target = await emptyDatabase();
    const restored = await shop(env(target), 'restore', '--from', whole);
    expect(restored).toMatchObject({ code: 0, output: { stores: 2, migrationsApplied: [] } });
    expect(await everyRow(target)).toEqual(everything);
    await full.mustWork(await prepared(target), [key]);
    // What was there before is followed by what is written here, whose transactions may have lower numbers.
    const [{ epochs }] = await ownerQuery<{ epochs: number[] }>(
      'select array_agg(distinct epoch order by epoch) as epochs from order_events',
      [],
      target,
    );
    expect(epochs).toEqual([1, 2]);
    expect((await prepareDatabase(target, [key], MIGRATIONS)).repaired).toEqual([]);
    // What came after is not lost to a second restore.
    const again = await shop(env(target), 'restore', '--from', whole);
    expect(again).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('is not empty') } },
    });
  });

  it('of one store can be restored into an installation with other stores, with its people', async () => {
    const target = await prepared(await emptyDatabase());
    const app = await TestApp.start({ database: target, encryptionKeys: [key] });
    const there = await app.store({ name: 'There already' });
    const { productId } = await there.product();
    await there.place({ items: [{ productId, quantity: 1 }] });
    await app.stop();
    const before = await everyRow(target.ownerUrl);
    const restored = await shop(env(target.ownerUrl), 'restore', '--from', single);
    expect(restored).toMatchObject({
      code: 0,
      output: {
        id: full.id,
        name: 'Full shop',
        members: [{ email: full.email, role: 'owner' }],
        invitations: [],
      },
    });
    const after = await everyRow(target.ownerUrl);
    for (const [table, rows] of Object.entries(after)) {
      const ofStore = rows.filter(isOfStore).map(withoutEpoch);
      expect({ table, rows: ofStore }).toEqual({
        table,
        rows: everything[table].filter((row) => isOfStore(row) && !isOfSessions(table)).map(withoutEpoch),
      });
      expect(rows).toEqual(expect.arrayContaining(before[table]));
    }
    const feed = 'select event from order_events where store_id = $1 order by epoch desc, xid desc limit 1';
    await full.mustWork(target, [key]);
    expect(await ownerQuery(feed, [full.id], target.ownerUrl)).toEqual([{ event: 'order.updated' }]);
    const twice = await shop(env(target.ownerUrl), 'restore', '--from', single);
    expect(twice).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('in this installation already') } },
    });
  });

  it('of a store from before a rotation requires the older key until keys are rotated again', async () => {
    const [target, newer] = [await emptyDatabase(), randomBytes(32).toString('base64')];
    await prepared(target, [newer]);
    const both = env(target, `${newer},${key}`);
    expect(await shop(both, 'restore', '--from', single)).toMatchObject({ code: 0, output: { id: full.id } });
    await expect(prepared(target, [newer])).rejects.toThrow(/ENCRYPTION_KEY: not the key/);
    expect(await shop(both, 'keys', 'rotate')).toMatchObject({ code: 0, output: { retiredKeys: 1 } });
    await full.mustWork(await prepared(target, [newer]), [newer]);
  });

  it('of everything restores one store, and gives no membership to an account of that address', async () => {
    const target = await prepared(await emptyDatabase());
    const squatter = ordinal(1);
    await ownerQuery(
      `insert into users (id, email, password_hash, created_at) values ($1, $2, 'none', now())`,
      [squatter, full.email],
      target.ownerUrl,
    );
    const restored = await shop(env(target.ownerUrl), 'restore', '--from', whole, '--store', full.id);
    expect(restored).toMatchObject({
      code: 0,
      output: {
        id: full.id,
        members: [],
        invitations: [{ email: full.email, role: 'owner', invitation: expect.stringContaining('http') }],
      },
    });
    expect(await ownerQuery('select user_id from store_members', [], target.ownerUrl)).toEqual([]);
    expect(await ownerQuery('select id, password_hash from users', [], target.ownerUrl)).toEqual([
      { id: squatter, password_hash: 'none' },
    ]);
    expect(await ownerQuery('select id from stores', [], target.ownerUrl)).toEqual([{ id: full.id }]);
    for (const id of [ordinal(9), 'nope']) {
      expect(await shop(env(target.ownerUrl), 'restore', '--from', whole, '--store', id)).toMatchObject({
        code: 1,
        output: { error: { code: 'invalid_input', message: `from holds no store ${id}` } },
      });
    }
  });

  it('changes nothing if it is damaged, truncated, foreign or of another key', async () => {
    const target = await emptyDatabase();
    const good = readFileSync(whole);
    const file = path.join(folder, 'bad.backup');
    const flipped = (at: number) =>
      Buffer.concat([good.subarray(0, at), Buffer.from([good[at] ^ 1]), good.subarray(at + 1)]);
    const cases: [Buffer, RegExp][] = [
      [flipped(Math.floor(good.length / 2)), /damaged or cut short/],
      [flipped(good.length - 5), /damaged or cut short/],
      [flipped(60), /damaged or cut short|not a backup/],
      [good.subarray(0, good.length - 1), /damaged or cut short/],
      [good.subarray(0, Math.floor(good.length / 3)), /damaged or cut short/],
      [Buffer.concat([good, Buffer.from('x')]), /damaged or cut short/],
      [Buffer.from('PGDMP something else'), /not a backup/],
      [Buffer.alloc(0), /not a backup/],
    ];
    for (const [content, message] of cases) {
      writeFileSync(file, content);
      const refused = await shop(env(target), 'restore', '--from', file);
      expect(refused).toMatchObject({
        code: 1,
        output: { error: { code: 'invalid_input', message: expect.stringMatching(message) } },
      });
    }
    const otherKey = await shop(env(target, randomBytes(32).toString('base64')), 'restore', '--from', whole);
    expect(otherKey).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('another ENCRYPTION_KEY') } },
    });
    for (const no of [path.join(folder, 'nothing'), folder]) {
      expect(await shop(env(target), 'restore', '--from', no)).toMatchObject({
        code: 1,
        output: { error: { code: 'invalid_input' } },
      });
    }
    const away = await shop(env('postgres://127.0.0.1:1/none'), 'restore', '--from', whole);
    expect(away.output).toMatchObject({
      error: { message: expect.stringMatching(/^DATABASE_URL: the database cannot be connected to/) },
    });
    expect(
      await ownerQuery(
        `select relname from pg_class where relnamespace = 'public'::regnamespace`,
        [],
        target,
      ),
    ).toEqual([]);
  });

  it('goes through standard output and input, and is refused if it did not arrive whole', async () => {
    const piped = path.join(folder, 'piped.backup');
    const backup = ['backup', '--store', full.id, '--to', '-'];
    const { stdout, ...written } = await shopInShell(env(source.ownerUrl), `"$@" > ${piped}`, ...backup);
    expect({ stdout, code: written.code }).toEqual({ stdout: '', code: 0 });
    const result = written.stderr.split('\n').find((line) => line.startsWith('{"file"'))!;
    expect(JSON.parse(result)).toMatchObject({ file: null, bytes: statSync(piped).size, stores: 1 });
    const atFull = await shopInShell(env(source.ownerUrl), '"$@" > /dev/full', ...backup);
    expect(atFull).toMatchObject({ code: 1, stderr: expect.stringContaining('to could not be written') });

    const target = await emptyDatabase();
    const restore = (line: string) =>
      shopInShell(env(target), line, 'restore', '--from', '-', '--json').then(({ code, stdout }) => ({
        code,
        output: JSON.parse(stdout) as unknown,
      }));
    expect(await restore(`head -c -1 ${piped} | "$@"`)).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('damaged or cut short') } },
    });
    expect(await restore(`cat ${piped} | "$@"`)).toMatchObject({ code: 0, output: { stores: 1 } });
  }, 60_000);

  it('never overwrites another file, and never leaves an incomplete one', async () => {
    const before = readFileSync(whole);
    const refused = await shop(env(source.ownerUrl), 'backup', '--to', whole);
    expect(refused).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('exists already') } },
    });
    expect(readFileSync(whole).equals(before)).toBe(true);
    expect(await shop(env(source.ownerUrl), 'backup', '--to', path.join(folder, 'none', 'f'))).toMatchObject({
      code: 1,
    });
    expect(
      await shop(env(source.ownerUrl), 'backup', '--to', path.join(folder, 'x'), '--store', ordinal(9)),
    ).toMatchObject({
      code: 1,
      output: { error: { code: 'not_found' } },
    });
    const full = await shopInShell(
      env(source.ownerUrl),
      'ulimit -f 64; "$@" --json',
      'backup',
      '--to',
      path.join(folder, 'x'),
    );
    expect([full.code, JSON.parse(full.stdout)]).toEqual([
      1,
      { error: { code: 'invalid_input', message: expect.stringMatching(/^to could not be written: EFBIG/) } },
    ]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part') || name === 'x')).toEqual([]);
  });

  it('is the first of two that are written under one name at the same time', async () => {
    const to = path.join(folder, 'same');
    const both = await Promise.all(
      [1, 2].map(() => shop(env(source.ownerUrl), 'backup', '--to', to, '--store', full.id)),
    );
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)!.output.error.message).toMatch(/exists already/);
    expect(readdirSync(folder).filter((name) => name.startsWith('same'))).toEqual(['same']);
  });
});

/** Of an event: where it stands among those of the installation. */
const withoutEpoch = (row: string) => row.replace(/"epoch": -?\d+/, '"epoch"');

/** Sessions do not go with a store, nor what only signs people in elsewhere. */
const isOfSessions = (table: string) =>
  ['sessions', 'known_browsers', 'password_resets', 'sign_in_attempts'].includes(table) ||
  table.startsWith('oauth_');

describe('a move from the embedded database', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-move-'));
  const dataDir = path.join(folder, 'data');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('copies everything to a server, and says where the key is', async () => {
    const env = { DATA_DIR: dataDir };
    const service = await ServiceProcess.start(env);
    const [, token] = /admin token +(shop_live_\w+)/.exec(service.output)!;
    const call = async (url: string) =>
      (
        await fetch(`${url}/v1/list_orders`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: '{}',
        })
      ).json() as Promise<{ ok: boolean; data: { items: object[] } }>;
    const orders = await call(service.url);
    expect(orders.data.items.length).toBeGreaterThan(2);
    const target = await emptyDatabase();
    const away = await shop(env, 'move', '--to', 'postgres://127.0.0.1:1/none');
    expect(away.output).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringMatching(/^to: the database cannot/) },
    });
    const refused = await shop(env, 'move', '--to', target);
    expect(refused).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('stop it first') } },
    });
    expect(await service.stop()).toBe(0);

    const moved = await shop(env, 'move', '--to', target);
    expect(moved).toMatchObject({ code: 0, output: { stores: 1, migrationsApplied: [] } });
    expect(moved.output.encryptionKey).toContain(path.join(dataDir, 'encryption.key'));
    expect(moved.output.next).toContain('is not moved');
    const moveKey = readFileSync(path.join(dataDir, 'encryption.key'), 'utf8').trim();
    expect(moved.stdout + moved.stderr).not.toContain(moveKey);

    const there = await ServiceProcess.start({ DATABASE_URL: target, ENCRYPTION_KEY: moveKey });
    expect(await call(there.url)).toEqual(orders);
    await there.stop();
    expect(await shop(env, 'move', '--to', target)).toMatchObject({ code: 1 });
    expect(await shop(env, 'move', '--to', 'mysql://x')).toMatchObject({ code: 1 });
  });
});
