import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

const TABLE = `
create table record_changes (
  store_id uuid not null,
  record_id text collate "C" not null,
  kind text not null,
  product_id text,
  change text not null check (change in ('created', 'updated', 'deleted')),
  at timestamptz(3) not null default now(),
  epoch integer not null default order_event_epoch(),
  xid xid8 not null default pg_current_xact_id(),
  primary key (store_id, record_id)
) with (fillfactor = 80);
create index record_changes_feed on record_changes (store_id, kind, epoch, xid, record_id);
create index record_changes_age on record_changes (at);
select protect_table('record_changes')`;

const FUNCTIONS = [
  `create function note_change() returns trigger language plpgsql as $$
declare
  changed record;
  external text;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_op = 'DELETE' and not exists (select from stores where id = old.store_id) then return null; end if;
  if tg_argv[0] = 'product' then external := changed.product_id; end if;
  insert into record_changes as c (store_id, record_id, kind, product_id, change)
  values (changed.store_id, changed.id, tg_argv[0], external,
    case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end)
  on conflict (store_id, record_id) do update set kind = excluded.kind, product_id = excluded.product_id,
    change = case when c.xid = excluded.xid and c.change = 'created' and excluded.change = 'updated'
      then 'created' else excluded.change end,
    at = excluded.at, epoch = excluded.epoch, xid = excluded.xid;
  return null;
end $$`,
  `create or replace function end_store() returns trigger language plpgsql as $$ begin
  delete from former_titles where store_id = old.id;
  delete from product_marks where store_id = old.id;
  delete from order_days where store_id = old.id;
  delete from product_days where store_id = old.id;
  delete from product_spans where store_id = old.id;
  delete from order_events where store_id = old.id;
  delete from record_changes where store_id = old.id;
  return null;
end $$`,
  `create or replace function begin_order_event_epoch() returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  last integer;
begin
  lock table order_events, record_changes in access exclusive mode;
  alter table order_events no force row level security;
  alter table record_changes no force row level security;
  select max(e.epoch) into last from (
    select max(epoch) as epoch from order_events union all select max(epoch) from record_changes) e;
  alter table order_events force row level security;
  alter table record_changes force row level security;
  execute format(
    'create or replace function order_event_epoch() returns integer language sql stable parallel safe as %L',
    'select ' || greatest(coalesce(last, 0), order_event_epoch()) + 1);
  execute format(
    'create or replace function order_event_server() returns text language sql stable parallel safe as %L',
    format('select %L', (select system_identifier::text from pg_control_system())));
end $$`,
];

const TRIGGERS = `
do $$
declare
  noted record;
begin
  for noted in select * from (values ('product', 'products'), ('brand', 'brands'),
    ('category', 'categories'), ('promocode', 'promocodes'), ('customer', 'customers')) as k (kind, name)
  loop
    execute format('create trigger record_changes after insert or delete on %I
      for each row execute function note_change(%L)', noted.name, noted.kind);
    execute format('create trigger record_changes_update after update on %I
      for each row when (old.updated_at <> new.updated_at) execute function note_change(%L)',
      noted.name, noted.kind);
  end loop;
end $$`;

/** The feed of changed records (docs/behaviour.md §14). It begins empty. */
export class RecordChanges1795800000005 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    for (const made of FUNCTIONS) await runner.query(made);
    await runner.query(TRIGGERS);
  }
}
