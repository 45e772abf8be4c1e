import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';
import { BATCH, seeingRows } from './steps.js';

/** What the table and its index need. */
const WORDS = [
  `create or replace function address_words(value text) returns text
language sql immutable strict parallel safe as $$
  select ' ' || trim(regexp_replace(
    replace(replace(translate(lower(normalize(value)), U&'\\0451\\0131\\03C2', U&'\\0435i\\03C3'),
      U&'i\\0307', 'i'), U&'\\00DF', 'ss'),
    '[\\s!-/:-@\\[-\`{-~]+', ' ', 'g')) $$`,
  `create or replace function address_of(shipping json, checkout json) returns text
language sql immutable parallel safe as $$
  select address_words(left(string_agg(value, ' '), 500)) from (
    select part #>> '{}' as value from jsonb_path_query(
      case when json_typeof(shipping) = 'object' and shipping::text !~* '\\\\u(0000|d[89a-f])'
        then shipping::jsonb - 'phone_number' - 'email' else '{}' end, 'strict $.**') part
    where jsonb_typeof(part) = 'string'
    union all
    select answer->>'value' from json_array_elements(
      case when json_typeof(checkout) = 'array' and checkout::text !~* '\\\\u(0000|d[89a-f])'
        then checkout else '[]' end) answer
    where json_typeof(answer) = 'object' and answer->>'type' in ('text', 'textarea', 'select')
  ) v $$`,
  `create or replace function address_keys(store uuid, value text) returns integer[]
language sql immutable strict parallel safe as $$
  select array(select distinct public.search_key(store, substr(word, at, size))
    from unnest(string_to_array(value, ' ')) word, generate_series(1, length(word)) at,
      unnest(array[1, 2, 3, 6]) size
    where at + size <= length(word) + 1 and (at = 1 or ascii(substr(word, at, 1)) >= 3584))
$$`,
  `create or replace function address_needle_keys(store uuid, needle text) returns integer[]
language sql immutable strict parallel safe as $$
  select array(select search_key(store, substr(word, 1,
      case when length(word) >= 6 then 6 when length(word) >= 3 then 3 else length(word) end))
    from unnest(string_to_array(substr(address_words(needle), 2), ' ')) word) $$`,
  `create or replace function address_patterns(needle text) returns text[]
language sql immutable strict parallel safe as $$
  select array(select case when ascii(word) >= 3584 then '%' else '% ' end || word || '%'
    from unnest(string_to_array(substr(address_words(needle), 2), ' ')) word) $$`,
];

const TABLE = `
  create table order_addresses (
    store_id uuid not null,
    order_id bigint not null,
    search_text text not null,
    primary key (store_id, order_id),
    constraint order_addresses_order foreign key (store_id, order_id) references orders on delete cascade
  );
  create index order_addresses_found on order_addresses using gin (address_keys(store_id, search_text))
    with (fastupdate = on, gin_pending_list_limit = 256);
  perform protect_table('order_addresses');
  create policy search_by_owner on order_addresses for select to current_user using (true)`;

const SEARCHES = [
  `create or replace function keep_order_address() returns trigger
language plpgsql as $$ begin
  if tg_op = 'UPDATE' then
    delete from order_addresses where store_id = new.store_id and order_id = new.id;
  end if;
  insert into order_addresses (store_id, order_id, search_text)
  select new.store_id, new.id, a.words from address_of(new.shipping_address, new.checkout_data) as a (words)
  where a.words <> ' ';
  return null;
end $$`,
  `create or replace function ordered_products(store uuid, needle text) returns text[]
language plpgsql stable as $$ begin
  return array(
    select p.product_id from products p
    where search_keys(p.store_id, product_search_text(p.search_text, p.title, p.product_id, p.tags))
        @> needle_keys(store, needle)
      and p.store_id is not distinct from store
      and split_part(product_search_text(p.search_text, p.title, p.product_id, p.tags), E'\\n', 1)
        || E'\\n' || split_part(product_search_text(p.search_text, p.title, p.product_id, p.tags), E'\\n', 2)
        like all (array(select search_pattern(word) from unnest(search_words(needle)) word))
    union
    select f.product_id from former_titles f
    where search_keys(f.store_id, product_search_text(f.search_text, f.title, f.product_id, null))
        @> needle_keys(store, needle)
      and f.store_id is not distinct from store
      and split_part(product_search_text(f.search_text, f.title, f.product_id, null), E'\\n', 1)
        || E'\\n' || split_part(product_search_text(f.search_text, f.title, f.product_id, null), E'\\n', 2)
        like all (array(select search_pattern(word) from unnest(search_words(needle)) word)));
end $$`,
  `create or replace function find_order_text(store uuid, needle text,
  out customers bigint[], out products text[], out orders bigint[])
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan set jit = off set enable_seqscan = off as $$
begin
  if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return; end if;
  customers := array(select c.id from customers c
    where search_keys(c.store_id, c.search_text) @> needle_keys(store, needle)
      and c.store_id is not distinct from store and c.search_text like all (customer_patterns(needle)));
  products := ordered_products(store, needle);
  orders := array(select o.id from orders o where o.store_id = store and o.tracking_number is not null
    and lower(o.tracking_number) like substr(search_pattern(needle), 2));
end $$`,
  `create or replace function find_addresses(store uuid, needle text) returns setof bigint
language plpgsql stable security definer rows 25 set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan set jit = off set enable_seqscan = off as $$
begin
  if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return; end if;
  return query select a.order_id from order_addresses a
    where address_keys(a.store_id, a.search_text) @> address_needle_keys(store, needle)
      and a.store_id is not distinct from store and a.search_text like all (address_patterns(needle));
end $$`,
  `create or replace function is_within(o orders, statuses text[],
  created_from timestamptz, created_to timestamptz,
  updated_from timestamptz, updated_to timestamptz) returns boolean
language sql immutable parallel safe as $$
  select o.status = any(statuses) and o.created_at >= created_from and o.created_at <= created_to
    and o.updated_at >= updated_from and o.updated_at <= updated_to $$`,
  `create or replace function count_found_orders(store uuid, needle text,
  address text, reference text, number bigint,
  reversed text, shorter text[], statuses text[], created_from timestamptz, created_to timestamptz,
  updated_from timestamptz, updated_to timestamptz, most integer) returns integer
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan set jit = off set enable_seqscan = off
set enable_hashjoin = off set enable_mergejoin = off set max_parallel_workers_per_gather = 0
as $$
declare
  products text[];
begin
  if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return 0; end if;
  products := ordered_products(store, needle);
  return (select count(*) from (
    (select o.id from (
       select c.id from customers c where search_keys(c.store_id, c.search_text) @> needle_keys(store, needle)
         and c.store_id is not distinct from store and c.search_text like all (customer_patterns(needle))
       offset 0
     ) c join orders o on o.store_id = store and o.messenger_user_id = c.id
       and is_within(o, statuses, created_from, created_to, updated_from, updated_to)
     limit most)
    union
    (select o.id from unnest(products) as w (product_id)
     cross join lateral (
       select n.order_id, n.position from order_items n
       where n.store_id = store and n.product_id = w.product_id offset 0
     ) i
     join orders o on o.store_id = store and o.id = i.order_id
       and is_within(o, statuses, created_from, created_to, updated_from, updated_to)
     where not exists (select from order_items e where e.store_id = store and e.order_id = i.order_id
       and e.position < i.position and (e.product_id in (select unnest(products))) is true)
     limit most)
    union
    (select o.id from (
       select a.order_id from order_addresses a
       where address_keys(a.store_id, a.search_text) @> address_needle_keys(store, address)
         and a.store_id is not distinct from store and a.search_text like all (address_patterns(address))
       offset 0
     ) a join orders o on o.store_id = store and o.id = a.order_id
       and is_within(o, statuses, created_from, created_to, updated_from, updated_to)
     limit most)
    union
    (select o.id from (
       select p.order_id from order_phones p
       where p.store_id = store and p.digits >= reversed and p.digits < reversed || ':'
       union select p.order_id from order_phones p where p.store_id = store and p.digits = any(shorter)
       union select t.id from orders t where t.store_id = store and t.tracking_number is not null
         and lower(t.tracking_number) like substr(search_pattern(needle), 2)
       union select r.id from orders r where r.store_id = store and r.external_id = reference
       union select number
     ) x join orders o on o.store_id = store and o.id = x.order_id
       and is_within(o, statuses, created_from, created_to, updated_from, updated_to)
     limit most)
    limit most
  ) found);
end $$`,
];

const TRIGGERS = [
  `drop trigger if exists order_addresses_insert on orders;
  create trigger order_addresses_insert after insert on orders for each row
    when (num_nonnulls(new.shipping_address, new.checkout_data) > 0) execute function keep_order_address()`,
  `drop trigger if exists order_addresses_update on orders;
  create trigger order_addresses_update after update of shipping_address, checkout_data on orders
    for each row execute function keep_order_address()`,
];

/** The search functions run as the tables' owner, from whom forced row-level security hides the rows. */
const POLICIES = ['order_phones', 'order_items'].map(
  (table) => `drop policy if exists search_by_owner on ${table};
    create policy search_by_owner on ${table} for select to current_user using (true)`,
);

/** Nobody but the store's role may call what runs as the owner. */
const RIGHTS = `do $do$ begin
  revoke execute on function find_addresses, count_found_orders from public;
  execute format('grant execute on function find_addresses, count_found_orders to %I',
    left(current_database(), 56) || '_store');
end $do$`;

/** The orders are locked: one that lost its address meanwhile would keep its words. */
const KEEP_ADDRESSES = `with o as (
    select o.store_id, o.id, o.shipping_address, o.checkout_data from orders o
    where between_keys and num_nonnulls(o.shipping_address, o.checkout_data) > 0 for no key update
  ) insert into order_addresses (store_id, order_id, search_text)
  select o.store_id, o.id, a.words
  from o, address_of(o.shipping_address, o.checkout_data) as a (words) where a.words <> ' '
  on conflict do nothing`;

/** The words of orders' addresses, for find_orders, which also counts what it finds. */
export class OrderAddresses1795800000002 implements Step {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const text of WORDS) await runner.query(text);
    await runner.query(`do $do$ begin
      if to_regclass('order_addresses') is null then ${TABLE}; end if;
    end $do$`);
    for (const text of [...SEARCHES, ...POLICIES, RIGHTS, ...TRIGGERS]) await runner.query(text);
    await seeingRows(runner, ['orders', 'order_addresses'], () => keepAddresses(runner));
  }
}

/** Batch after batch, in the order of the key, with a pause after each for as long as it took. */
async function keepAddresses(runner: QueryRunner): Promise<void> {
  for (let after = `('00000000-0000-0000-0000-000000000000'::uuid, 0::bigint)`; ;) {
    const began = performance.now();
    const [last] = (await runner.query(
      `select store_id, id from orders where (store_id, id) > ${after}
       order by store_id, id offset ${BATCH - 1} limit 1`,
    )) as { store_id: string; id: string }[];
    const upTo = last && `('${last.store_id}'::uuid, ${last.id}::bigint)`;
    const rows = `(o.store_id, o.id) > ${after}${upTo ? ` and (o.store_id, o.id) <= ${upTo}` : ''}`;
    await runner.query(KEEP_ADDRESSES.replace('between_keys', rows));
    if (!upTo) return;
    after = upTo;
    const took = performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, took));
  }
}
