import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { emptyDatabase } from '../../support/database/own-database.js';
import { shop, shopInShell } from '../../support/servers/service-process.js';
import { ownerQuery } from '../../support/test-app.js';
import { BackedUp, env, key, ordinal, prepared } from './backed-up.js';

describe('the file of a backup', () => {
  let made: BackedUp;
  beforeAll(async () => {
    made = await BackedUp.make();
  });
  afterAll(() => made.remove());

  it('of a store from before a rotation requires the older key until keys are rotated again', async () => {
    const [target, newer] = [await emptyDatabase(), randomBytes(32).toString('base64')];
    await prepared(target, [newer]);
    const both = env(target, `${newer},${key}`);
    expect(await shop(both, 'restore', '--from', made.single)).toMatchObject({
      code: 0,
      output: { id: made.full.id },
    });
    await expect(prepared(target, [newer])).rejects.toThrow(/ENCRYPTION_KEY: not the key/);
    expect(await shop(both, 'keys', 'rotate')).toMatchObject({ code: 0, output: { retiredKeys: 1 } });
    await made.full.mustWork(await prepared(target, [newer]), [newer]);
  });

  it('changes nothing if it is damaged, truncated, foreign or of another key', async () => {
    const target = await emptyDatabase();
    const good = readFileSync(made.whole);
    const file = path.join(made.folder, 'bad.backup');
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
    const otherKey = await shop(
      env(target, randomBytes(32).toString('base64')),
      'restore',
      '--from',
      made.whole,
    );
    expect(otherKey).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('another ENCRYPTION_KEY') } },
    });
    for (const no of [path.join(made.folder, 'nothing'), made.folder]) {
      expect(await shop(env(target), 'restore', '--from', no)).toMatchObject({
        code: 1,
        output: { error: { code: 'invalid_input' } },
      });
    }
    const away = await shop(env('postgres://127.0.0.1:1/none'), 'restore', '--from', made.whole);
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
    const piped = path.join(made.folder, 'piped.backup');
    const backup = ['backup', '--store', made.full.id, '--to', '-'];
    const { stdout, ...written } = await shopInShell(env(made.source.ownerUrl), `"$@" > ${piped}`, ...backup);
    expect({ stdout, code: written.code }).toEqual({ stdout: '', code: 0 });
    const result = written.stderr.split('\n').find((line) => line.startsWith('{"file"'))!;
    expect(JSON.parse(result)).toMatchObject({ file: null, bytes: statSync(piped).size, stores: 1 });
    const atFull = await shopInShell(env(made.source.ownerUrl), '"$@" > /dev/full', ...backup);
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
    const before = readFileSync(made.whole);
    const refused = await shop(env(made.source.ownerUrl), 'backup', '--to', made.whole);
    expect(refused).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('exists already') } },
    });
    expect(readFileSync(made.whole).equals(before)).toBe(true);
    expect(
      await shop(env(made.source.ownerUrl), 'backup', '--to', path.join(made.folder, 'none', 'f')),
    ).toMatchObject({
      code: 1,
    });
    expect(
      await shop(
        env(made.source.ownerUrl),
        'backup',
        '--to',
        path.join(made.folder, 'x'),
        '--store',
        ordinal(9),
      ),
    ).toMatchObject({
      code: 1,
      output: { error: { code: 'not_found' } },
    });
    const full = await shopInShell(
      env(made.source.ownerUrl),
      'ulimit -f 64; "$@" --json',
      'backup',
      '--to',
      path.join(made.folder, 'x'),
    );
    expect([full.code, JSON.parse(full.stdout)]).toEqual([
      1,
      { error: { code: 'invalid_input', message: expect.stringMatching(/^to could not be written: EFBIG/) } },
    ]);
    expect(readdirSync(made.folder).filter((name) => name.endsWith('.part') || name === 'x')).toEqual([]);
  });

  it('is the first of two that are written under one name at the same time', async () => {
    const to = path.join(made.folder, 'same');
    const both = await Promise.all(
      [1, 2].map(() => shop(env(made.source.ownerUrl), 'backup', '--to', to, '--store', made.full.id)),
    );
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)!.output.error.message).toMatch(/exists already/);
    expect(readdirSync(made.folder).filter((name) => name.startsWith('same'))).toEqual(['same']);
  });
});
