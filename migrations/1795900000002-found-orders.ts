import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

/** Both searches read its products one by one. */
const PRODUCTS = `create function ordered_products(store uuid, needle text) returns setof text
language sql stable as $$
  select p.product_id from products p
  where search_keys(p.store_id, product_search_text(p.search_text, p.title, p.product_id, p.tags))
      @> needle_keys(store, needle)
    and p.store_id is not distinct from store
    and split_part(product_search_text(p.search_text, p.title, p.product_id, p.tags), E'\\n', 1)
      || E'\\n' || split_part(product_search_text(p.search_text, p.title, p.product_id, p.tags), E'\\n', 2)
      like all (array(select search_pattern(word) from unnest(search_words(needle)) word))
  union all
  select f.product_id from former_titles f
  where search_keys(f.store_id, product_search_text(f.search_text, f.title, f.product_id, null))
      @> needle_keys(store, needle)
    and f.store_id is not distinct from store
    and split_part(product_search_text(f.search_text, f.title, f.product_id, null), E'\\n', 1)
      || E'\\n' || split_part(product_search_text(f.search_text, f.title, f.product_id, null), E'\\n', 2)
      like all (array(select search_pattern(word) from unnest(search_words(needle)) word))
$$`;

const SEARCHES = [
  `create or replace function find_order_text(store uuid, needle text, out customers bigint[],
  out products text[], out orders bigint[])
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan set jit = off set enable_seqscan = off as $$
begin
  if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return; end if;
  customers := array(select c.id from customers c
    where search_keys(c.store_id, c.search_text) @> needle_keys(store, needle)
      and c.store_id is not distinct from store and c.search_text like all (customer_patterns(needle)));
  products := array(select distinct ordered_products(store, needle));
  orders := array(select o.id from orders o where o.store_id = store and o.tracking_number is not null
    and lower(o.tracking_number) like substr(search_pattern(needle), 2));
end $$`,
  `create or replace function count_found_orders(store uuid, needle text, address text, reference text,
  number bigint, reversed text, shorter text[], statuses text[], created_from timestamptz,
  created_to timestamptz, updated_from timestamptz, updated_to timestamptz, most integer) returns integer
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan set jit = off set enable_seqscan = off
set enable_hashjoin = off set enable_mergejoin = off set max_parallel_workers_per_gather = 0
as $$
declare
  is_every boolean := statuses @> '{PENDING,PROCESSING,SHIPPED,DELIVERED,CANCELLED}'
    and created_from = '-infinity' and created_to = 'infinity'
    and updated_from = '-infinity' and updated_to = 'infinity';
  span integer := 2 * most;
  customers bigint[];
  rows_read integer;
  found_now integer;
begin
  if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return 0; end if;
  loop
    customers := array(select find_customers(store, needle, 0, span));
    select count(*), count(distinct x.id) into rows_read, found_now from (
      select s.id from (
        select o.id from unnest(customers) as c (id)
        cross join lateral (
          select o.id from orders o where o.store_id = store and o.messenger_user_id = c.id offset 0
        ) o
        union all
        select i.order_id from (select p from ordered_products(store, needle) p offset 0) w (product_id)
        cross join lateral (
          select n.order_id from order_items n
          where n.store_id = store and n.product_id = w.product_id offset 0
        ) i
        union all
        select a.order_id from order_addresses a
        where address_keys(a.store_id, a.search_text) @> address_needle_keys(store, address)
          and a.store_id is not distinct from store and a.search_text like all (address_patterns(address))
        union all
        select p.order_id from order_phones p
        where p.store_id = store and p.digits >= reversed and p.digits < reversed || ':'
        union all
        select p.order_id from order_phones p where p.store_id = store and p.digits = any(shorter)
        union all
        select t.id from orders t where t.store_id = store and t.tracking_number is not null
          and lower(t.tracking_number) like substr(search_pattern(needle), 2)
        union all
        select r.id from orders r where r.store_id = store and r.external_id = reference
        union all
        select n.id from orders n where n.store_id = store and n.id = number
      ) s (id)
      where is_every or exists (select from orders o where o.store_id = store and o.id = s.id
        and is_within(o, statuses, created_from, created_to, updated_from, updated_to))
      limit span
    ) x;
    if found_now >= most or rows_read < span and cardinality(customers) < span then
      return least(found_now, most);
    end if;
    span := least(8::bigint * span, 2147483647);
  end loop;
end $$`,
];

/** The total of a search for orders reads no further than it counts. */
export class FoundOrders1795900000002 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop function ordered_products(uuid, text)');
    for (const text of [PRODUCTS, ...SEARCHES]) await runner.query(text);
  }
}
