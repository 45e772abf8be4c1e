import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepared } from '../installation/backups/backed-up.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { freePort, shop } from '../support/servers/service-process.js';
import { ownerQuery } from '../support/test-app.js';
import { itWhenSlow } from '../support/slow.js';

const key = randomBytes(32).toString('base64');

describe('groups of stores', () => {
  let folder: string;
  let urls: Record<'a' | 'b', string>;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'shop-groups-'));
    const made = [await prepared(await emptyDatabase(), [key]), await prepared(await emptyDatabase(), [key])];
    urls = { a: made[0].ownerUrl, b: made[1].ownerUrl };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = () => path.join(folder, 'groups.json');
  const run = (...args: string[]) => shop({ GROUPS_FILE: file(), ENCRYPTION_KEY: key }, ...args);
  const ok = async (...args: string[]) => {
    const { code, output, stdout, stderr } = await run(...args);
    expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    return output;
  };
  const refusal = async (...args: string[]) => {
    const { code, output } = await run(...args);
    expect(code).toBeGreaterThan(0);
    return output.error.message as string;
  };
  const add = (name: string, database: string, address = `https://${name}.shops.example`) =>
    ['group', 'add', '--name', name, '--database', database, '--address', address] as const;
  const create = (name: string) =>
    ok('store', 'create', '--name', name, '--currency', 'USD', '--owner-email', 'ann@shop.example');
  const place = (url: string) => `${new URL(url).host}${new URL(url).pathname}`;
  /** The ids of the stores in the database of a group. */
  const stores = async (group: 'a' | 'b') =>
    (await ownerQuery<{ id: string }>('select id from stores', [], urls[group])).map(({ id }) => id);

  it('are registered in a file that only its owner reads, each an installation with this key', async () => {
    expect(await ok('group', 'list')).toEqual([]);
    expect(await ok(...add('a', urls.a))).toMatchObject({ name: 'a', database: place(urls.a) });
    for (const [args, message] of [
      [add('a', urls.b), 'there is a group a already'],
      [add('c', urls.a), 'it is the one of the group a'],
      [add('c', await emptyDatabase()), 'no tables of the service'],
      [add('c', (await prepared(await emptyDatabase())).ownerUrl), 'ENCRYPTION_KEY'],
    ] as const)
      expect(await refusal(...args)).toContain(message);
    await ok(...add('b', urls.b));
    const copy = path.join(folder, 'copy');
    for (const args of [
      ['migrate'],
      ['backup', '--to', copy],
      ['restore', '--from', copy],
      ['recovered'],
      ['keys', 'rotate'],
    ])
      expect(await refusal(...args)).toContain('--group is required, or DATABASE_URL; the groups are a, b');
    expect(await ok('backup', '--to', copy, '--group', 'a')).toMatchObject({ stores: 0 });
    expect(await ok('group', 'list')).toEqual(
      (['a', 'b'] as const).map((name) => ({
        name,
        address: `https://${name}.shops.example`,
        database: place(urls[name]),
        stores: 0,
        orders: 0,
        problem: null,
      })),
    );
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await refusal('user', 'show', '--email', 'ann@shop.example')).toMatch(/--group.*groups are a, b/);
  });

  it('take new stores where there is least, and are searched together', async () => {
    const first = await create('First corner');
    const second = await create('Second corner');
    expect([first.group, second.group].sort()).toEqual(['a', 'b']);
    for (const { id, group } of [first, second]) expect(await stores(group)).toEqual([id]);
    const found = await ok('store', 'list', '--search', 'corner');
    expect(found.map(({ id, group }: { id: string; group: string }) => [id, group]).sort()).toEqual(
      [first, second].map(({ id, group }) => [id, group]).sort(),
    );
    expect(await ok('store', 'list', '--group', second.group)).toMatchObject([{ id: second.id }]);
    // A command finds the group of its store.
    for (const { id } of [first, second])
      expect(await ok('token', 'create', '--store', id, '--name', 'T', '--scope', 'read')).toMatchObject({
        token: expect.stringMatching(/^shop_live_/),
      });
    expect(await refusal('token', 'list', '--store', '00000000-0000-4000-8000-000000000001')).toContain(
      'There is no such store',
    );
    expect(await refusal('store', 'list', '--group', 'c')).toContain('the groups are a, b');
  });

  itWhenSlow('exchange stores, by name', async () => {
    const [{ id }] = await ok('store', 'list', '--group', 'a');
    const moved = await ok('store', 'move', '--store', id, '--to', 'b');
    expect(moved).toMatchObject({ id, movedTo: place(urls.b) });
    for (const { invitation } of moved.invitations)
      expect(invitation).toMatch(/^https:\/\/b\.shops\.example\/dashboard\//);
    expect((await stores('b')).includes(id)).toBe(true);
    expect(await refusal('store', 'move', '--store', id, '--to', 'b')).toContain('was moved to');
    expect(await ok('token', 'list', '--store', id)).toHaveLength(1);
    await ok('store', 'suspend', '--store', id, '--reason', 'it is in b');
    expect(await ok('store', 'list', '--search', id)).toMatchObject([
      { group: 'a', suspendedReason: `moved to ${place(urls.b)}` },
      { group: 'b', suspendedReason: 'it is in b' },
    ]);
    expect(await ok('group', 'list')).toMatchObject([{ stores: 0 }, { stores: 2 }]);
  });

  itWhenSlow('work when one of them is lost, and forget it', async () => {
    const registry = readFileSync(file(), 'utf8');
    const lost = new URL(urls.a);
    lost.port = String(await freePort());
    writeFileSync(file(), registry.replace(urls.a, lost.href));
    expect(await ok('group', 'list')).toMatchObject([
      { name: 'a', stores: null, problem: expect.stringContaining('cannot be connected to') },
      { name: 'b', stores: 2, problem: null },
    ]);
    const found = await ok('store', 'list');
    expect(found).toMatchObject([
      { group: 'a', problem: expect.any(String) },
      { group: 'b' },
      { group: 'b' },
    ]);
    expect((await create('Third')).group).toBe('b');
    expect(await ok('token', 'list', '--store', found[1].id)).toHaveLength(1);
    expect(await refusal('token', 'list', '--store', '00000000-0000-4000-8000-000000000001')).toContain(
      'group a: the database cannot be connected to',
    );
    expect(await refusal('group', 'remove', '--name', 'a')).toContain('--yes');
    expect(await refusal('group', 'remove', '--name', 'b')).toContain('it has 3 stores');
    expect(await ok('group', 'remove', '--name', 'a', '--yes')).toEqual({ name: 'a', stores: null });
    expect(await ok('group', 'list')).toMatchObject([{ name: 'b' }]);
  });

  it('need a registry and a key', async () => {
    expect((await shop({ DATABASE_URL: urls.a, ENCRYPTION_KEY: key }, 'group', 'list')).output.error).toEqual(
      {
        code: 'invalid_input',
        message: expect.stringContaining('GROUPS_FILE is not set'),
      },
    );
    expect((await shop({ GROUPS_FILE: file() }, 'group', 'list')).output.error.message).toContain(
      'ENCRYPTION_KEY',
    );
    writeFileSync(file(), '{"groups":[{"name":"a"}]}');
    expect(await refusal('group', 'list')).toContain('is not a registry of groups');
  });
});
