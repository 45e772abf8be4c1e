import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { BATCH, createIndex, inBatches, seeingRows } from '../../migrations/steps.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { applyMigrations, type Step } from '../../src/platform/database/installation/migration-runner.js';
import { preparedDatabase, type TestDatabase } from '../support/database/own-database.js';
import { fillBigTables } from '../support/database/big-tables.js';
import { LockWatch } from '../support/database/lock-watch.js';
import { madeStep, type Up, withSteps } from '../support/database/made-steps.js';
import { eventually } from '../support/eventually.js';
import { paced } from '../support/waiting/paced.mjs';
import { ownerQuery } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;
const ADD_COLUMN = madeStep('AddColumn8000000000001', (runner) =>
  runner.query('alter table orders add column tried text'),
);

describe('a migration while calls are served', () => {
  let database: TestDatabase;
  let reporter: pg.Client;

  beforeEach(async () => {
    database = await preparedDatabase();
    reporter = new pg.Client({ connectionString: database.ownerUrl, application_name: 'a report' });
    await reporter.connect();
    await reporter.query('begin');
  });
  afterEach(() => reporter.end());

  const migrate = (...steps: (new () => Step)[]) =>
    prepareDatabase(database.ownerUrl, [KEY], withSteps(...steps));
  const query = <Row extends pg.QueryResultRow>(text: string) => ownerQuery<Row>(text, [], database.ownerUrl);

  it('does not block calls while it waits for a lock, and completes when the lock is free', async () => {
    await reporter.query('select count(*) from orders');
    const watch = await LockWatch.start(database.ownerUrl);
    const migrating = migrate(ADD_COLUMN);
    await eventually('the migration waits', () => watch.waits > 0);
    for (let n = 0; n < 120; n++) {
      await query('select 1 from orders limit 1');
      await paced(50);
    }
    expect(
      await query(`select 1 from pg_attribute where attrelid = 'orders'::regclass and attname = 'tried'`),
    ).toEqual([]);
    await reporter.query('commit');
    expect((await migrating).applied).toEqual(['AddColumn8000000000001']);
    // It did wait, and nobody behind it long.
    expect(await watch.stop()).toMatchObject({ longestMs: expect.any(Number), waits: expect.any(Number) });
    expect(watch.waits).toBeGreaterThan(0);
    expect(watch.longestMs).toBeLessThan(5_500);
  });

  it('gives up if it gets no lock, names the holder, and has changed nothing', async () => {
    await reporter.query('lock table orders in share mode');
    const dataSource = await new DataSource({
      type: 'postgres',
      url: database.ownerUrl,
      migrations: [ADD_COLUMN],
    }).initialize();
    try {
      await expect(applyMigrations(dataSource, 1_500)).rejects.toThrow(
        /lock timeout.*process \d+ \(a report\), open for \d+ s/,
      );
    } finally {
      await dataSource.destroy();
    }
    expect(await query(`select 1 from migrations where name = 'AddColumn8000000000001'`)).toEqual([]);
  });

  it('builds an index while another transaction is open for longer than a lock may take', async () => {
    await reporter.query('update orders set carrier = carrier');
    const migrating = migrate(
      madeStep(
        'BuildIndex8000000000002',
        (runner) => createIndex(runner, 'orders_tried', 'orders (store_id, carrier)'),
        false,
      ),
    );
    await eventually('it has waited for longer than for a lock', async () => {
      const waiting = `select from pg_locks where not granted
        and pg_backend_pid() = any(pg_blocking_pids(pid))
        and waitstart < clock_timestamp() - interval '1.5 s'`;
      return (await reporter.query(waiting)).rowCount! > 0;
    });
    await reporter.query('commit');
    expect((await migrating).applied).toEqual(['BuildIndex8000000000002']);
    expect(
      await query(`select indisvalid from pg_index where indexrelid = 'orders_tried'::regclass`),
    ).toEqual([{ indisvalid: true }]);
  });

  it('rebuilds an index that was left invalid, and keeps a complete one', async () => {
    await reporter.query('commit');
    await fillBigTables(database.ownerUrl, 20);
    await expect(
      query('create unique index concurrently orders_tried on orders (store_id, currency)'),
    ).rejects.toThrow('could not create unique index');
    const state = () =>
      query<{ oid: string; indisvalid: boolean }>(
        `select indexrelid::text as oid, indisvalid from pg_index
          where indexrelid = 'orders_tried'::regclass`,
      );
    const [left] = await state();
    expect(left.indisvalid).toBe(false);
    const build = (runner: QueryRunner) => createIndex(runner, 'orders_tried', 'orders (store_id, currency)');
    await migrate(madeStep('BuildIndex8000000000003', build, false));
    const [made] = await state();
    expect(made).toMatchObject({ indisvalid: true });
    expect(made.oid).not.toBe(left.oid);
    await migrate(
      madeStep('BuildIndex8000000000003', build, false),
      madeStep('BuildAgain8000000000004', build, false),
    );
    expect(await state()).toEqual([made]);
  });

  it('changes a big table in batches, and continues where it was interrupted', async () => {
    await reporter.query('commit');
    await fillBigTables(database.ownerUrl, 2 * BATCH + 500);
    const fill = `update customers c set username = 'migrated' where c.ctid = any(array(
      select ctid from customers where username is distinct from 'migrated' limit ${BATCH}))`;
    let batches = 0;
    const backfill =
      (stopAfter: number): Up =>
      (runner) =>
        seeingRows(runner, ['customers'], async () => {
          const query = runner.query.bind(runner);
          Object.assign(runner, {
            query: (text: string, ...more: []) => {
              if (text === fill && ++batches > stopAfter) throw new Error('cut short');
              return query(text, ...more);
            },
          });
          return inBatches(runner, fill);
        });
    await expect(migrate(madeStep('Backfill8000000000005', backfill(1), false))).rejects.toThrow('cut short');
    const sizes = () =>
      query<{ n: number }>(
        `select count(*)::int as n from customers where username = 'migrated' group by xmin order by n desc`,
      );
    expect(await sizes()).toEqual([{ n: BATCH }]);
    await migrate(madeStep('Backfill8000000000005', backfill(100), false));
    expect(await sizes()).toEqual([{ n: BATCH }, { n: BATCH }, { n: 500 }]);
    expect(
      await query(`select relforcerowsecurity as forced from pg_class where relname = 'customers'`),
    ).toEqual([{ forced: true }]);
  });
});
