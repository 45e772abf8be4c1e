import type { MigrationInterface, QueryRunner } from 'typeorm';

const COPY_BATCH = 5_000;
const TABLES = ['order_events', 'webhook_deliveries'];

/**
 * Stores events separately from deliveries, even if the store has no webhook (docs/behaviour.md §14). The
 * event has the body, and the delivery with the same id refers to it. The table is partitioned by month,
 * according to the time in the version 7 UUID: so the key is that of the delivery, and events older than 30
 * days are dropped with their partition.
 *
 * The migration runs outside a transaction, so that no lock is held while many deliveries are copied. If it
 * is interrupted, the next run continues it.
 */
export class OrderEvents1763700000230 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const [{ exists }] = await runner.query(`select to_regclass('order_events') is not null as exists`);
    if (!exists) {
      await runner.startTransaction();
      await createEvents(runner);
      await createUpkeep(runner);
      await runner.commitTransaction();
    }
    // The owner of the tables can see and write rows only while row-level security is not forced.
    for (const table of TABLES) await runner.query(`alter table ${table} no force row level security`);
    await runner.query(`select tend_order_events('31 days')`);
    await copyDeliveries(runner);
    await runner.startTransaction();
    await runner.query(`lock table webhook_deliveries in access exclusive mode`);
    await runner.query(`
      insert into order_events (store_id, id, epoch, xid, order_id, event, body, created_at)
      select d.store_id, d.id, 0, '0', d.order_id, d.event, d.body, d.created_at from webhook_deliveries d
      where not exists (select from order_events e where e.store_id = d.store_id and e.id = d.id)`);
    await runner.query(
      `alter table webhook_deliveries drop column order_id, drop column event, drop column body`,
    );
    for (const table of TABLES) await runner.query(`alter table ${table} force row level security`);
    await runner.commitTransaction();
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.startTransaction();
    await runner.query(
      `alter table webhook_deliveries add column order_id bigint, add column event text, add column body bytea`,
    );
    for (const table of TABLES) await runner.query(`alter table ${table} no force row level security`);
    await runner.query(`
      update webhook_deliveries d set order_id = e.order_id, event = e.event, body = e.body
      from order_events e where e.store_id = d.store_id and e.id = d.id`);
    await runner.query(
      `alter table webhook_deliveries alter column event set not null, alter column body set not null`,
    );
    await runner.query(`create index webhook_deliveries_of_order on webhook_deliveries (store_id, order_id)`);
    await runner.query(`alter table webhook_deliveries force row level security`);
    await runner.query(`drop function tend_order_events, renew_order_event_epoch, begin_order_event_epoch`);
    await runner.query(`drop table order_events`);
    await runner.query(`drop function order_event_epoch, order_event_server, order_event_id_at`);
    await runner.commitTransaction();
  }
}

async function createEvents(runner: QueryRunner): Promise<void> {
  // Transaction numbers increase only within one server, so each server on which the database is restored
  // begins a new epoch. The epoch and the server are stored as functions, so that dumps include them,
  // statements read them at no cost, and plans are updated with them.
  await runner.query(
    `create function order_event_epoch() returns integer language sql stable parallel safe as $$ select 1 $$`,
  );
  const [{ server }] = await runner.query(
    `select system_identifier::text as server from pg_control_system()`,
  );
  await runner.query(
    `create function order_event_server() returns text language sql stable parallel safe as $$ select '${server}' $$`,
  );
  await runner.query(`
    create function order_event_id_at(at timestamptz) returns uuid language sql stable parallel safe as
    $$ select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$`);
  // The order of the feed is (epoch, xid, id), because readers never pass the number of a transaction that is
  // still under way. The body is bytea, because the same bytes must be signed and sent on every attempt, and
  // jsonb reorders keys.
  await runner.query(`
    create table order_events (
      store_id uuid not null references stores on delete cascade,
      id uuid not null,
      epoch integer not null default order_event_epoch(),
      xid xid8 not null default pg_current_xact_id(),
      order_id bigint,
      event text not null,
      body bytea not null,
      created_at timestamptz(3) not null,
      primary key (store_id, id)
    ) partition by range (id)`);
  await runner.query(`create index order_events_feed on order_events (store_id, epoch, xid, id)`);
  await runner.query(`create index order_events_of_order on order_events (store_id, order_id)`);
  await runner.query(`create table order_events_default partition of order_events default`);
  for (const table of ['order_events', 'order_events_default'])
    await runner.query(`select protect_table('${table}')`);
}

/**
 * Creates the functions that run as the owner of the tables, because only the owner may create and drop
 * partitions.
 */
async function createUpkeep(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create function begin_order_event_epoch() returns void language plpgsql set search_path = public, pg_temp as $$
    declare
      last integer;
    begin
      lock table order_events in access exclusive mode;
      alter table order_events no force row level security;
      select max(epoch) into last from order_events;
      alter table order_events force row level security;
      execute format('create or replace function order_event_epoch() returns integer language sql stable parallel safe as %L',
        'select ' || greatest(coalesce(last, 0), order_event_epoch()) + 1);
      execute format('create or replace function order_event_server() returns text language sql stable parallel safe as %L',
        format('select %L', (select system_identifier::text from pg_control_system())));
    end $$`);
  await runner.query(`
    create function renew_order_event_epoch() returns void language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended('order_events', 0));
      if order_event_server() <> (select system_identifier::text from pg_control_system()) then
        perform begin_order_event_epoch();
      end if;
    end $$`);
  // Events to which deliveries still refer are moved to the default partition when their month is dropped.
  // That partition also has the rows whose ids are of a time without a partition. If a lock is not available
  // soon, the next call tries again, which is early enough because partitions are created two months ahead.
  await runner.query(`
    create function tend_order_events(kept interval) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      this_month timestamp := date_trunc('month', now() at time zone 'UTC');
      first_month timestamp := date_trunc('month', (now() - kept) at time zone 'UTC');
      month timestamp;
      part text;
      span text;
    begin
      perform pg_advisory_xact_lock(hashtextextended('order_events', 0));
      perform set_config('lock_timeout', '2s', true);
      for month in select generate_series(first_month, this_month + interval '2 months', interval '1 month') loop
        part := 'order_events_' || to_char(month, 'YYYY_MM');
        continue when to_regclass('public.' || part) is not null;
        span := format('from (%L) to (%L)', order_event_id_at(month at time zone 'UTC'),
          order_event_id_at((month + interval '1 month') at time zone 'UTC'));
        execute format('create table %I (like order_events including defaults)', part);
        lock table order_events_default in access exclusive mode;
        alter table order_events_default no force row level security;
        execute format('with moved as (delete from order_events_default where id >= %L and id < %L returning *) insert into %I select * from moved',
          order_event_id_at(month at time zone 'UTC'), order_event_id_at((month + interval '1 month') at time zone 'UTC'), part);
        alter table order_events_default force row level security;
        execute format('alter table order_events attach partition %I for values %s', part, span);
        perform protect_table(part::regclass);
      end loop;
      for part in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'order_events'::regclass and c.relname ~ '^order_events_[0-9]{4}_[0-9]{2}$'
          and to_date(right(c.relname, 7), 'YYYY_MM') < first_month
      loop
        lock table order_events, webhook_deliveries in access exclusive mode;
        execute format('alter table order_events detach partition %I', part);
        execute format('alter table %I no force row level security', part);
        alter table order_events no force row level security;
        alter table webhook_deliveries no force row level security;
        execute format('insert into order_events select e.* from %I e where exists (
          select from webhook_deliveries d where d.store_id = e.store_id and d.id = e.id)', part);
        alter table order_events force row level security;
        alter table webhook_deliveries force row level security;
        execute format('drop table %I', part);
      end loop;
    end $$`);
  for (const signature of ['renew_order_event_epoch()', 'tend_order_events(interval)']) {
    await runner.query(`revoke execute on function ${signature} from public`);
    await runner.query(`
      do $$ begin
        execute format('grant execute on function ${signature} to %I', left(current_database(), 56) || '_system');
      end $$`);
  }
}

/**
 * Copies deliveries in batches. Each statement begins where the last one ended, so that no row is read twice.
 */
async function copyDeliveries(runner: QueryRunner): Promise<void> {
  const zero = '00000000-0000-0000-0000-000000000000';
  let last: { store_id: string; id: string } | undefined = { store_id: zero, id: zero };
  while (last) {
    [last] = await runner.query(
      `with batch as materialized (
         select d.store_id, d.id, d.order_id, d.event, d.body, d.created_at from webhook_deliveries d
         where (d.store_id, d.id) > ($1, $2) order by d.store_id, d.id limit ${COPY_BATCH}
       ), copied as (
         insert into order_events (store_id, id, epoch, xid, order_id, event, body, created_at)
         select b.store_id, b.id, 0, '0', b.order_id, b.event, b.body, b.created_at from batch b on conflict do nothing
       ) select store_id, id from batch order by store_id desc, id desc limit 1`,
      [last.store_id, last.id],
    );
  }
}
