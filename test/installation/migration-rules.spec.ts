import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../migrations/all.js';
import { createIndex, inBatches } from '../../migrations/steps.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import type { Migrations, Step } from '../../src/platform/database/installation/migration-runner.js';
import { BIG_TABLES, fillBigTables } from '../support/database/big-tables.js';
import { madeStep, type Up, withSteps } from '../support/database/made-steps.js';
import { emptyDatabase, preparedDatabase } from '../support/database/own-database.js';
import { ownerQuery } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;
/** Rows that one transaction may change of a big table. */
const MOST_ROWS = 5_000;
const ROWS = 6_000;

/** Writes down what each statement does to a big table, by what the server itself says of it. */
const WITNESS = `
  create schema rules;
  create table rules.breaches (line text not null);
  create function rules.is_big(oid) returns boolean language sql as $$
    select exists (select from unnest('{${BIG_TABLES.join(',')}}'::text[]) big join pg_class c on c.oid = $1
      where c.relname = big or c.relname like big || '_2%') $$;
  create function rules.of_rewrite() returns event_trigger language plpgsql as $$ begin
    insert into rules.breaches select 'rewrites ' || oid::regclass
      from pg_event_trigger_table_rewrite_oid() oid where rules.is_big(oid);
  end $$;
  create function rules.of_command() returns event_trigger language plpgsql as $$ begin
    insert into rules.breaches
    select 'builds ' || c.objid::regclass || ' on ' || i.indrelid::regclass || ' without CONCURRENTLY'
    from pg_event_trigger_ddl_commands() c join pg_index i on c.classid = 'pg_class'::regclass
      and i.indexrelid = c.objid
    where c.command_tag = 'CREATE INDEX' and rules.is_big(i.indrelid)
    and current_query() !~* 'index\\s+concurrently'
    union all
    select 'reads all of ' || c.objid::regclass || ' under its lock'
    from pg_event_trigger_ddl_commands() c
    where c.command_tag = 'ALTER TABLE' and rules.is_big(c.objid)
      and current_query() ~* 'set\\s+not\\s+null|add\\s+(constraint|check|foreign|unique|primary|exclude)'
      and current_query() !~* 'not\\s+valid|using\\s+index';
  end $$;
  create event trigger rules_of_rewrite on table_rewrite execute function rules.of_rewrite();
  create event trigger rules_of_command on ddl_command_end execute function rules.of_command()`;

/**
 * What these migrations do to a big table that they must not (CONTRIBUTING.md, Changing the schema).
 */
async function breaches(ownerUrl: string, migrations: Migrations, tables = BIG_TABLES): Promise<string[]> {
  await fillBigTables(ownerUrl, ROWS, tables);
  await ownerQuery(WITNESS, [], ownerUrl);
  await prepareDatabase(ownerUrl, [KEY], migrations);
  const found = await ownerQuery<{ line: string }>(
    'select distinct line from rules.breaches order by 1',
    [],
    ownerUrl,
  );
  for (const table of tables) {
    const [{ most }] = await ownerQuery<{ most: number }>(
      `select max(n)::int as most from (select count(*) as n from ${table} group by xmin) g`,
      [],
      ownerUrl,
    );
    if (most > MOST_ROWS) found.push({ line: `changes ${most} rows of ${table} in one transaction` });
  }
  return found.map(({ line }) => line);
}

const only = (up: Up, transaction?: boolean) => madeStep('Tried8000000000001', up, transaction);

describe('the rules of migrations', () => {
  it.each<[string, string, new () => Step, string[]]>([
    [
      'a column whose default is worked out for each row',
      'orders',
      only((runner) => runner.query('alter table orders add column tried uuid default gen_random_uuid()')),
      ['rewrites orders', `changes ${ROWS} rows of orders in one transaction`],
    ],
    [
      'another type',
      'customers',
      only((runner) => runner.query('alter table customers alter column username type varchar(10)')),
      ['rewrites customers', `changes ${ROWS} rows of customers in one transaction`],
    ],
    [
      'an index in a transaction',
      'audit_log',
      only((runner) => runner.query('create index audit_log_tried on audit_log (request_id)')),
      ['builds audit_log_tried on audit_log without CONCURRENTLY'],
    ],
    [
      'a constraint that is looked into at once',
      'products',
      only((runner) => runner.query('alter table products add constraint tried check (price > 0)')),
      ['reads all of products under its lock'],
    ],
    [
      'all rows at once',
      'orders',
      only((runner) => runner.query(`update orders set carrier = 'DHL'`)),
      [`changes ${ROWS} rows of orders in one transaction`],
    ],
  ])('refuse %s (%s)', async (_, table, step, found) => {
    const { ownerUrl } = await preparedDatabase();
    expect(await breaches(ownerUrl, withSteps(step), [table])).toEqual(found);
  });

  it('allow the same in parts, and are followed by every step since 1.0.0', async () => {
    const inParts = only(async (runner: QueryRunner) => {
      await runner.query('alter table orders add column tried text');
      await createIndex(runner, 'orders_tried', 'orders (store_id, tried)');
      await inBatches(
        runner,
        `update orders set tried = 'yes' where ctid = any(array(select ctid from orders where tried is null
          limit 1000))`,
      );
      await runner.query('alter table orders add constraint tried check (tried is not null) not valid');
      await runner.query('alter table orders validate constraint tried');
    }, false);
    const ownerUrl = await emptyDatabase();
    await prepareDatabase(ownerUrl, [KEY], { ...MIGRATIONS, steps: [] });
    expect(await breaches(ownerUrl, withSteps(inParts))).toEqual([]);
  });
});
