import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { MIGRATIONS } from '../../migrations/all.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { withRole } from '../../src/platform/config/database-url.js';
import { existingRoles } from '../../src/platform/database/installation/existing.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { roleNames } from '../../src/platform/database/installation/roles.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { checkDatabase } from '../../src/operator/cli/doctor/database.js';
import { withSnapshot } from '../../src/operator/backup/snapshot.js';
import { openRuntime } from '../../src/start/runtime.js';
import { madeStep, withSteps } from '../support/database/made-steps.js';
import { emptyDatabase } from '../support/database/own-database.js';

const PASSWORD = 'a1b2c3d4e5f6a7b8';
const newKey = () => randomBytes(32).toString('base64');

/** docs/behaviour.md §16: serving processes need not be able to connect as the owner of the tables. */
describe("a process that connects as the service's own role", () => {
  const key = newKey();
  let ownerUrl: string;
  let serviceUrl: string;

  const asOwner = async <Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    return work(client).finally(() => client.end());
  };
  const config = () => loadConfig({ DATABASE_URL: serviceUrl, ENCRYPTION_KEY: key });
  const start = () => openRuntime(config(), createLogger('silent'));

  beforeAll(async () => {
    ownerUrl = await emptyDatabase();
    const { names } = await asOwner(roleNames);
    serviceUrl = withRole(ownerUrl, names.system, PASSWORD);
  });
  afterAll(() =>
    asOwner(async (client) => {
      const { names } = await roleNames(client);
      for (const role of Object.values(names) as string[])
        await client.query(`drop owned by ${role} cascade; drop role ${role}`);
    }),
  );

  it('does not start before the database is migrated with its password', async () => {
    await expect(start()).rejects.toThrow(/^DATABASE_URL: the database cannot be connected to/);
    await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    await expect(start()).rejects.toThrow(/^DATABASE_URL: the database cannot be connected to/);
  });

  it('then starts as both roles, which own nothing, and changes nothing', async () => {
    const prepared = await prepareDatabase(ownerUrl, [key], MIGRATIONS, PASSWORD);
    const { storeUrl, systemUrl, migrationsApplied, close } = await start();
    expect([storeUrl, systemUrl]).toEqual([prepared.store, prepared.system]);
    expect([new URL(storeUrl).password, migrationsApplied]).toEqual([PASSWORD, []]);
    await close();
    // The operator's commands, as the owner, still find the password in the database.
    expect(await existingRoles(ownerUrl, [key], MIGRATIONS)).toMatchObject({ store: prepared.store });
    expect((await prepareDatabase(ownerUrl, [key], MIGRATIONS)).store).toBe(prepared.store);
  });

  it('refuses a schema that is not its own, and a key that the database does not know', async () => {
    const newer = withSteps(madeStep('Later8000000000001', () => Promise.resolve()));
    await expect(existingRoles(serviceUrl, [key], newer)).rejects.toThrow(/run shop migrate$/);
    const added = existingRoles(serviceUrl, [newKey(), key], MIGRATIONS);
    await expect(added).rejects.toThrow(/^ENCRYPTION_KEY: .* run shop migrate with it first$/);
    await expect(existingRoles(serviceUrl, [newKey()], MIGRATIONS)).rejects.toThrow(/^ENCRYPTION_KEY: /);
    const checks = await checkDatabase({ ...config(), encryptionKeys: [newKey(), key] });
    expect(checks.find((check) => check.check === 'key')).toMatchObject({
      level: 'error',
      cure: 'Run shop migrate with it first.',
    });
  });

  it('cannot migrate, nor read or copy the whole database; doctor finds nothing wrong with it', async () => {
    const migrated = prepareDatabase(serviceUrl, [key], MIGRATIONS);
    await expect(migrated).rejects.toThrow(/^DATABASE_URL: the tables belong to the role /);
    const urls = { ownerUrl: serviceUrl, directUrl: serviceUrl };
    await expect(withSnapshot(urls, null, async () => null)).rejects.toThrow(/needs the one that owns/);
    const checks = await checkDatabase(config());
    expect(checks.filter(({ level }) => level === 'error')).toEqual([]);
    expect(checks.map(({ check }) => check)).toEqual(expect.arrayContaining(['roles', 'webhooks']));
  });
});
