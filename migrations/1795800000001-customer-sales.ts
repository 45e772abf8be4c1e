import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';
import { BATCH, createIndex, seeingRows } from './steps.js';

const CUSTOMER_SALES = `
  create table customer_sales (
    store_id uuid not null,
    customer_id bigint not null,
    created_at timestamptz(3) not null,
    order_count bigint not null default 0,
    total_spent bigint not null default 0,
    last_order_at timestamptz(3) not null default '-infinity',
    primary key (store_id, customer_id),
    constraint customer_sales_customer foreign key (store_id, customer_id) references customers
      on delete cascade
  ) with (fillfactor = 80);
  create index customer_sales_by_creation on customer_sales (store_id, created_at, customer_id);
  create index customer_sales_by_count on customer_sales (store_id, order_count, customer_id);
  create index customer_sales_by_spent on customer_sales (store_id, total_spent, customer_id);
  create index customer_sales_by_order on customer_sales (store_id, last_order_at, customer_id);
  select protect_table('customer_sales')`;

const ORDER_PHONES = `
  create table order_phones (
    store_id uuid not null,
    order_id bigint not null,
    nth bigint not null,
    customer_id bigint not null,
    phone text not null,
    digits text collate "C" not null,
    primary key (store_id, order_id, nth),
    constraint order_phones_order foreign key (store_id, order_id) references orders on delete cascade
  );
  create index order_phones_found on order_phones (store_id, digits, customer_id);
  create index order_phones_of_customer on order_phones (store_id, customer_id, order_id desc, nth);
  select protect_table('order_phones')`;

const FUNCTIONS = [
  `create or replace function contacts_inserted() returns trigger language plpgsql as $$
declare net record;
begin
  for net in
    select store_id, sum(sign) as total, sum(sign * (not is_banned and not is_bot_blocked)::int) as active,
      sum(sign * is_banned::int) as banned, sum(sign * is_bot_blocked::int) as bot_blocked
    from (select 1 as sign, store_id, is_banned, is_bot_blocked from added) c
    group by store_id order by store_id
  loop
    if (net.total, net.active, net.banned, net.bot_blocked) <> (0, 0, 0, 0) then
      perform enter_contacts(net.store_id, net.total, net.active, net.banned, net.bot_blocked);
    end if;
    insert into customer_sales (store_id, customer_id, created_at)
    select store_id, id, created_at from added where store_id = net.store_id on conflict do nothing;
  end loop;
  return null;
end $$`,
  `create or replace function enter_customer_sales() returns trigger language plpgsql as $$
declare
  leaves boolean := tg_op <> 'INSERT' and old.status <> 'CANCELLED';
  enters boolean := tg_op <> 'DELETE' and new.status <> 'CANCELLED';
  store uuid := case when tg_op = 'DELETE' then old.store_id else new.store_id end;
  customer bigint := case when tg_op = 'DELETE' then old.messenger_user_id else new.messenger_user_id end;
begin
  if leaves then
    perform from customer_sales where store_id = store and customer_id = customer for no key update;
  end if;
  update customer_sales s set order_count = s.order_count + enters::int - leaves::int,
    total_spent = s.total_spent + case when enters then earned(new.status, new.total_price) else 0 end
      - case when leaves then earned(old.status, old.total_price) else 0 end,
    last_order_at = case
      when leaves and old.created_at >= s.last_order_at then coalesce((
        select max(o.created_at) from orders o
        where o.store_id = store and o.messenger_user_id = customer and o.status <> 'CANCELLED'), '-infinity')
      when enters then greatest(s.last_order_at, new.created_at) else s.last_order_at end
  where s.store_id = store and s.customer_id = customer;
  return null;
end $$`,
  `create or replace function phones_of(shipping json, checkout json, out nth bigint, out phone text)
returns setof record language sql immutable parallel safe as $$
  select row_number() over (), left(value, 40) from (
    select shipping->>'phone_number' as value
    where json_typeof(shipping) = 'object' and position('\\u0000' in shipping::text) = 0
    union all
    select answer->>'value' from json_array_elements(
      case when json_typeof(checkout) = 'array' and position('\\u0000' in checkout::text) = 0
        then checkout else '[]' end) answer
    where json_typeof(answer) = 'object' and answer->>'type' = 'phone'
  ) v where length(regexp_replace(value, '\\D', '', 'g')) between 5 and 20 $$`,
  `create or replace function phone_digits(phone text) returns text language sql immutable parallel safe as $$
  select reverse(regexp_replace(phone, '\\D', '', 'g')) $$`,
  `create or replace function keep_order_phones() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' then
    delete from order_phones where store_id = new.store_id and order_id = new.id;
  end if;
  insert into order_phones (store_id, order_id, nth, customer_id, phone, digits)
  select new.store_id, new.id, p.nth, new.messenger_user_id, p.phone, phone_digits(p.phone)
  from phones_of(new.shipping_address, new.checkout_data) p;
  return null;
end $$`,
];

/** The triggers of orders. */
const TRIGGERS: Record<string, string> = {
  customer_sales_insert: `create constraint trigger customer_sales_insert after insert on orders
    deferrable initially deferred for each row when (new.status <> 'CANCELLED')
    execute function enter_customer_sales()`,
  customer_sales_update: `create constraint trigger customer_sales_update after update on orders
    deferrable initially deferred for each row
    when ((old.status = 'CANCELLED', earned(old.status, old.total_price), old.created_at) is distinct from
      (new.status = 'CANCELLED', earned(new.status, new.total_price), new.created_at))
    execute function enter_customer_sales()`,
  customer_sales_delete: `create constraint trigger customer_sales_delete after delete on orders
    deferrable initially deferred for each row when (old.status <> 'CANCELLED')
    execute function enter_customer_sales()`,
  order_phones_insert: `create trigger order_phones_insert after insert on orders for each row
    when (num_nonnulls(new.shipping_address, new.checkout_data) > 0) execute function keep_order_phones()`,
  order_phones_update: `create trigger order_phones_update
    after update of shipping_address, checkout_data on orders
    for each row execute function keep_order_phones()`,
};

/** Every customer with sales of 0, so that the triggers of orders find a row. */
const BEGIN_SALES = `insert into customer_sales (store_id, customer_id, created_at)
  select c.store_id, c.id, c.created_at from customers c where between_keys on conflict do nothing`;

/**
 * Two statements, so that the second sees every order whose transaction has changed the rows before they were
 * locked. Later ones wait for the lock, and then add to the new figures.
 */
const COUNT_SALES = `do $do$ begin
  perform from customer_sales c where between_keys order by c.store_id, c.customer_id for no key update;
  update customer_sales s set order_count = o.orders, total_spent = o.spent, last_order_at = o.last_at
  from (
    select c.store_id, c.customer_id, count(*) as orders, sum(earned(o.status, o.total_price)) as spent,
      max(o.created_at) as last_at
    from customer_sales c join orders o on o.store_id = c.store_id and o.messenger_user_id = c.customer_id
    where between_keys and o.status <> 'CANCELLED' group by c.store_id, c.customer_id
  ) o where s.store_id = o.store_id and s.customer_id = o.customer_id;
end $do$`;

/** The orders are locked: one that lost its address meanwhile would keep its phone number. */
const KEEP_PHONES = `with c as (
    select c.* from orders c
    where between_keys and num_nonnulls(c.shipping_address, c.checkout_data) > 0 for no key update
  ) insert into order_phones (store_id, order_id, nth, customer_id, phone, digits)
  select c.store_id, c.id, p.nth, c.messenger_user_id, p.phone, phone_digits(p.phone)
  from c, phones_of(c.shipping_address, c.checkout_data) p on conflict do nothing`;

/** What customers bought, and the phone numbers of their orders, for find_customers. */
export class CustomerSales1795800000001 implements Step {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await make(runner, 'customer_sales', CUSTOMER_SALES);
    await make(runner, 'order_phones', ORDER_PHONES);
    for (const text of FUNCTIONS) await runner.query(text);
    await createIndex(runner, 'customers_banned', 'customers (store_id, id) where is_banned');
    await createIndex(runner, 'customers_bot_blocked', 'customers (store_id, id) where is_bot_blocked');
    await seeingRows(runner, ['customers', 'orders', 'customer_sales', 'order_phones'], async () => {
      await byKey(runner, 'customers', 'id', BEGIN_SALES);
      for (const [name, text] of Object.entries(TRIGGERS))
        await runner.query(`drop trigger if exists ${name} on orders; ${text}`);
      await byKey(runner, 'customer_sales', 'customer_id', COUNT_SALES);
      await byKey(runner, 'orders', 'id', KEEP_PHONES);
    });
  }
}

/** Makes a table with its indexes, unless an earlier try has made it. */
const make = (runner: QueryRunner, table: string, text: string) =>
  runner.query(`do $do$ begin
    if to_regclass('${table}') is null then
      ${text.replace('select protect_table', 'perform protect_table')};
    end if;
  end $do$`);

/**
 * Runs a statement for all rows of a table in the order of their key, a batch at a time, and pauses after
 * each for as long as it took. In the text `between_keys` is the condition of the batch, whose rows are `c`.
 */
async function byKey(runner: QueryRunner, table: string, key: string, text: string): Promise<void> {
  for (let after = `('00000000-0000-0000-0000-000000000000'::uuid, 0::bigint)`; ;) {
    const began = performance.now();
    const [last] = (await runner.query(
      `select store_id, ${key} as key from ${table} where (store_id, ${key}) > ${after}
       order by store_id, ${key} offset ${BATCH - 1} limit 1`,
    )) as { store_id: string; key: string }[];
    const upTo = last && `('${last.store_id}'::uuid, ${last.key}::bigint)`;
    const rows = `(c.store_id, c.${key}) > ${after}${upTo ? ` and (c.store_id, c.${key}) <= ${upTo}` : ''}`;
    await runner.query(text.replaceAll('between_keys', rows));
    if (!upTo) return;
    after = upTo;
    const took = performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, took));
  }
}
