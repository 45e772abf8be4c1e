import { JOBS } from '../../src/jobs/job-list.js';
import { Scheduler } from '../../src/jobs/scheduler.service.js';
import { checkDatabase } from '../../src/operator/cli/doctor/database.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { useShop } from '../support/test-app.js';

describe('what the service does by itself', () => {
  const app = useShop(async () => ({ database: await preparedDatabase() }));

  const jobs = async () => {
    const { ownerUrl } = app.database;
    const key = process.env.TEST_ENCRYPTION_KEY!;
    const checks = await checkDatabase(loadConfig({ DATABASE_URL: ownerUrl, ENCRYPTION_KEY: key }));
    return checks.filter(({ check }) => check === 'jobs');
  };
  const figure = async (name: string, job: string) => {
    const text = await (await fetch(`${app.url}/metrics`)).text();
    return Number(new RegExp(`^${name}{name="${job}"} (.*)$`, 'm').exec(text)![1]);
  };

  it('is listed by doctor with its period and last outcome, and in the metrics', async () => {
    const periods = Object.fromEntries(JOBS.map(({ name, periodMs }) => [name, periodMs / 1000]));
    expect(periods).toEqual({
      retention: 3_600,
      event_upkeep: 3_600,
      sales_folding: 600,
      unused_pictures: 24 * 3_600,
      unpaid_orders: 60,
      ended_sales: 30,
      new_order_notices: 2,
      shopper_messages: 2,
      due_invoices: 3_600,
      token_use: 15,
      app_token_use: 15,
    });
    for (const [name, period] of Object.entries(periods)) {
      expect([name, await figure('shop_job_period_seconds', name)]).toEqual([name, period]);
      expect([name, await figure('shop_job_failures_total', name)]).toEqual([name, 0]);
      expect(await figure('shop_job_succeeded_seconds', name)).toBeGreaterThan(Date.now() / 1000 - 600);
    }
    const found = (await jobs()).map((check) => check.found);
    expect(found).toEqual([
      'retention, every 60 min: has not run yet.',
      // The service took no call before this was done.
      expect.stringMatching(/^event_upkeep, every 60 min: succeeded \d+ s ago, in \d+ ms\.$/),
      'sales_folding, every 10 min: has not run yet.',
      'unused_pictures, every 24 h: has not run yet.',
      'unpaid_orders, every 60 s: has not run yet.',
      expect.stringMatching(/^ended_sales, every 30 s: /),
      expect.stringMatching(/^new_order_notices, every 2 s: /),
      expect.stringMatching(/^shopper_messages, every 2 s: /),
      'due_invoices, every 60 min: has not run yet.',
      expect.stringMatching(/^token_use, every 15 s: (has not run|succeeded \d+ s ago or less)/),
      expect.stringMatching(/^app_token_use, every 15 s: /),
    ]);
  });

  it('is tried again after a failure, whose text doctor has until then', async () => {
    const scheduler = app.nest.get(Scheduler);
    const folding = JOBS.find(({ name }) => name === 'sales_folding')!;
    const outcome = async () => (await jobs()).find((check) => check.found.startsWith(folding.name))!;
    await app.query('alter table product_days rename to product_days_away');
    await scheduler.run(folding);
    await app.query('alter table product_days_away rename to product_days');
    expect(await outcome()).toMatchObject({
      level: 'warning',
      found: expect.stringMatching(/failed \d s ago: relation "product_days" does not exist$/),
      cure: 'The log has the cause; the next run tries again.',
    });
    expect(await figure('shop_job_failures_total', folding.name)).toBe(1);
    await scheduler.run(folding);
    expect(await outcome()).toMatchObject({ ok: true, found: expect.stringContaining('succeeded') });
    expect(await figure('shop_job_failures_total', folding.name)).toBe(1);
  });

  it('is reported when it is three periods behind the others', async () => {
    await app.query(
      `update job_runs set ran_at = now() - interval '3 hours 2 minutes' where name = 'event_upkeep'`,
    );
    expect((await jobs()).filter(({ ok }) => !ok)).toMatchObject([
      { level: 'warning', found: 'event_upkeep, every 60 min: last ran 3 h ago.' },
    ]);
    await app.stopJobs();
    await app.query(`update job_runs set ran_at = now() - interval '3 days'`);
    expect((await jobs()).filter(({ ok }) => !ok)).toEqual([]);
  });

  it('is not late in the first minutes of a service that was stopped for long', async () => {
    await app.query(
      `insert into job_runs (name, ran_at, duration_ms)
       select name, now() - interval '3 days', 1 from unnest($1::text[]) name
       on conflict (name) do update set ran_at = excluded.ran_at`,
      [JOBS.map(({ name }) => name)],
    );
    const late = async () => (await jobs()).filter(({ ok }) => !ok).length;
    // What a start runs at once, and then soon.
    await app.query(`update job_runs set ran_at = now() where name = 'event_upkeep'`);
    expect(await late()).toBe(0);
    await app.query(
      `update job_runs set ran_at = now() + interval '100 seconds' where name = 'new_order_notices'`,
    );
    expect(await late()).toBe(0);
    await app.query(
      `update job_runs set ran_at = now() + interval '10 minutes' where name = 'new_order_notices'`,
    );
    expect(await late()).toBe(JOBS.length - 2);
  });
});
