import { MIGRATIONS } from '../../migrations/all.js';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { checkDatabase } from '../../src/operator/cli/doctor/database.js';
import { JOBS } from '../../src/jobs/job-list.js';
import { checkVersion } from '../../src/operator/cli/doctor/surroundings.js';
import type { Check } from '../../src/operator/cli/doctor/report.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { COMMIT, VERSION } from '../../src/platform/version.js';
import { madeStep, withSteps } from '../support/database/made-steps.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { freePort, shop, shopProcess, WORKING_FOLDER } from '../support/servers/service-process.js';
import { ownerQuery } from '../support/test-app.js';

describe('shop doctor', () => {
  const key = process.env.TEST_ENCRYPTION_KEY!;
  let url: string;

  beforeEach(async () => {
    url = (await preparedDatabase()).ownerUrl;
  });

  const look = (keys = key, database = url) =>
    checkDatabase(loadConfig({ DATABASE_URL: database, ENCRYPTION_KEY: keys }));
  const problems = (checks: Check[]) =>
    checks.filter(({ ok }) => !ok).map(({ check, level }) => `${check}: ${level}`);
  const found = (checks: Check[], name: string) => checks.find(({ check }) => check === name)!;

  it('finds nothing wrong with a correct database', async () => {
    const checks = await look();
    expect(problems(checks)).toEqual([]);
    const { host, pathname, password } = new URL(url);
    const { found: says } = found(checks, 'database');
    expect(says).toContain(`The database ${pathname.slice(1)} on ${host} answers`);
    expect(says).not.toContain(password);
    expect(checks.map(({ check }) => check)).toEqual([
      'database',
      'clock',
      'schema',
      'key',
      'roles',
      'events',
      'webhooks',
      ...JOBS.map(() => 'jobs'),
    ]);
  });

  it('reports wrong roles, grants and policies, and repairs none of them', async () => {
    const [{ name }] = await ownerQuery<{ name: string }>('select current_database() as name', [], url);
    await ownerQuery('drop policy own_store on products', [], url);
    await ownerQuery(`revoke delete on orders from ${name}_store`, [], url);
    await ownerQuery(`alter role ${name}_system password 'other'`, [], url);
    for (let i = 0; i < 2; i++) {
      const checks = await look();
      expect(problems(checks)).toEqual(['roles: error']);
      const roles = found(checks, 'roles');
      expect(roles.found).toContain(`does not open the role ${name}_system`);
      expect(roles.found).toMatch(/create policy own_store on products/);
      expect(roles.found).toContain('grant delete on orders to');
      expect(roles.cure).toContain('shop migrate');
    }
  });

  it('names a key that is missing, and one that is no longer needed', async () => {
    const other = randomBytes(32).toString('base64');
    const without = await look(other);
    // The roles are as they should be: mending them would not help.
    expect(problems(without)).toEqual(['key: error']);
    expect(found(without, 'roles').found).toContain('takes the right key');
    expect(problems(await look(`${other},${key}`))).toEqual(['key: warning']);
    expect(problems(await look(`${key},${other}`))).toEqual(['key: warning']);
    expect(await ownerQuery('select fingerprint from encryption_keys', [], url)).toHaveLength(1);
  });

  it('names migrations that are not applied, and those of another version', async () => {
    const [{ name }] = await ownerQuery<{ name: string }>('select name from migrations', [], url);
    const rename = (to: string) => ownerQuery('update migrations set name = $1', [to], url);
    await ownerQuery(`insert into migrations (timestamp, name) values (9, 'Newer')`, [], url);
    const level = 'error';
    const cure = 'Use the version that has migrated it, or a newer one.';
    expect(found(await look(), 'schema')).toMatchObject({ level, cure });
    await ownerQuery(`delete from migrations where name = 'Newer'`, [], url);
    // It has its own tables, and not what this version's has for doctor to ask.
    await rename('Schema_of_another');
    await ownerQuery('alter function missing_access() rename to unknown_access', [], url);
    expect(found(await look(), 'schema')).toMatchObject({
      level,
      found: expect.stringContaining('Schema_of_another'),
      cure: expect.stringMatching(/^Use the version that made it, or an empty database /),
    });
    await rename(name);
    await ownerQuery('alter function unknown_access() rename to missing_access', [], url);
    const pending = withSteps(madeStep('Later8000000000001', () => Promise.resolve()));
    const config = loadConfig({ DATABASE_URL: url, ENCRYPTION_KEY: key });
    expect(found(await checkDatabase(config, pending), 'schema')).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('Later8000000000001'),
      cure: 'Start the service, or run shop migrate.',
    });
    expect(await ownerQuery('select name from migrations', [], url)).toHaveLength(
      1 + MIGRATIONS.steps.length,
    );
  });

  it('names missing partitions of the event feed', async () => {
    expect(await look()).toContainEqual(expect.objectContaining({ check: 'events', ok: true }));
    const [{ name }] = await ownerQuery<{ name: string }>(
      `select 'order_events_' || to_char(now() at time zone 'UTC' + interval '1 month', 'YYYY_MM') as name`,
      [],
      url,
    );
    await ownerQuery(`drop table ${name}`, [], url);
    const lacking = (await look()).find(({ check }) => check === 'events');
    expect(lacking).toMatchObject({ level: 'warning', found: `The event feed lacks ${name}.` });
    await ownerQuery(`select tend_order_events('32 days')`, [], url);
  });

  it('names webhooks that are paused or fail', async () => {
    const store = (tag: string) =>
      ownerQuery<{ id: string }>(
        `insert into stores (id, name, currency, plan, created_at, updated_at)
         values (gen_random_uuid(), $1, 'USD', 'pro', now(), now()) returning id`,
        [tag],
        url,
      ).then(([{ id }]) => id);
    const [paused, failing] = [await store('paused'), await store('failing')];
    for (const id of [paused, failing])
      await ownerQuery(
        `insert into webhook_endpoints (store_id, url, sealed_secret, paused_at, created_at, updated_at)
         values ($1, 'https://partner.example/', 'x', $2, now(), now())`,
        [id, id === paused ? new Date() : null],
        url,
      );
    await ownerQuery(
      `insert into webhook_deliveries (store_id, id, status, failed_attempts, created_at, finished_at)
       values ($1, gen_random_uuid(), 'failed', 6, now(), now())`,
      [failing],
      url,
    );
    const checks = (await look()).filter(({ check }) => check === 'webhooks');
    expect(checks.map((check) => check.found)).toEqual([
      `The webhook of store ${paused} is paused.`,
      expect.stringContaining(`The webhook of store ${failing} fails: 1 deliveries were given up`),
    ]);
    expect(checks[1].cure).toContain(`shop webhook deliveries --store ${failing}`);
  });

  it('reports a database that does not answer', async () => {
    expect(await look(key, 'postgres://nobody:x@127.0.0.1:1/none')).toEqual([
      expect.objectContaining({
        check: 'database',
        level: 'error',
        found: expect.stringContaining('ECONNREFUSED'),
      }),
    ]);
  });

  it('names the version of a service that is not that of the command', async () => {
    const labels = 'version="0.9.0",commit="abc",node="v24"';
    const other = createServer((_, response) => response.end(`shop_build_info{${labels}} 1\n`));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const [check] = await checkVersion(loadConfig({ PORT: String(port) }));
    other.close();
    expect(check).toMatchObject({
      level: 'warning',
      found: `The service is of version 0.9.0 (abc), this command of ${VERSION} (${COMMIT}).`,
    });
  });

  it('works with a broken configuration, creates nothing, and exits with 1', async () => {
    const dataDir = path.join(WORKING_FOLDER, 'never-made');
    const { code, output } = await shop(
      {
        DATA_DIR: dataDir,
        PORT: 'http',
        LOG_LEVELS: 'a-secret',
        MESSENGER_API_ROOT: 'http://127.0.0.1:1',
        REDIS_URL: 'redis://127.0.0.1:1',
        SMTP_URL: 'smtp://127.0.0.1:1',
        // Browsers would not keep the dashboard's cookies, which are for https.
        BASE_URL: 'http://192.168.1.5:3000',
      },
      'doctor',
    );
    expect([code, output.ok]).toEqual([1, false]);
    // At the default port, which stands in for the bad one, another service may answer.
    const own = output.checks.filter(({ check }: Check) => check !== 'service');
    expect(problems(own)).toEqual([
      'variables: warning',
      'configuration: error',
      'address: warning',
      'database: warning',
      'redis: warning',
      'mail: warning',
      'messenger: warning',
    ]);
    expect(found(output.checks, 'configuration').found).toContain('PORT: must be a number');
    expect(JSON.stringify(output)).not.toContain('a-secret');
    for (const { ok, cure } of output.checks as Check[]) expect(cure === null).toBe(ok);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('uses the default of the variable that is not valid, not of another with the same ending', async () => {
    const port = String(await freePort());
    const dataDir = path.join(WORKING_FOLDER, 'never-made');
    const { output } = await shopProcess({ DATA_DIR: dataDir, PORT: port, METRICS_PORT: port }, 'doctor');
    expect(found(output.checks, 'configuration').found).toContain('METRICS_PORT: must be another port');
    const address = found(output.checks, 'address');
    expect(address.found).toContain(`http://localhost:${port}: no bot can be connected`);
    expect([address.ok, address.cure]).toEqual([false, expect.stringContaining('BASE_URL')]);
  });
});
