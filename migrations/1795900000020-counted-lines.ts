import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

/** Whoever marks what lines took of the stock, with products locked, does not wait for their orders. */
export class CountedLines1795900000020 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create function line_updated() returns trigger language plpgsql as $$ begin
  with held as materialized (
    select o.store_id, o.status, sales_day(o.created_at) as day from orders o
    where o.store_id = new.store_id and o.id = new.order_id for share)
  insert into product_days (store_id, day, product_id, title, quantity, revenue)
  select h.store_id, h.day, l.product_id, l.title, l.quantity, l.quantity * l.price
  from held h, (values (old.product_id, old.title, -old.quantity, old.price::numeric),
    (new.product_id, new.title, new.quantity, new.price::numeric)) as l (product_id, title, quantity, price)
  where earns(h.status);
  return null;
end $$`);
    await runner.query(`create or replace function lines_changed() returns trigger
language plpgsql as $$ begin
  if tg_op = 'DELETE' then
    with held as materialized (
      select l.store_id, o.status, sales_day(o.created_at) as day, l.product_id, l.title, l.quantity, l.price
      from removed l join orders o on o.store_id = l.store_id and o.id = l.order_id for share of o)
    insert into product_days (store_id, day, product_id, title, quantity, revenue)
    select store_id, day, product_id, title, -1 * sum(quantity), -1 * sum(price::numeric * quantity)
    from held where earns(status) group by store_id, day, product_id, title;
  else
    with held as materialized (
      select l.store_id, o.status, sales_day(o.created_at) as day, l.product_id, l.title, l.quantity, l.price
      from added l join orders o on o.store_id = l.store_id and o.id = l.order_id for share of o)
    insert into product_days (store_id, day, product_id, title, quantity, revenue)
    select store_id, day, product_id, title, 1 * sum(quantity), 1 * sum(price::numeric * quantity)
    from held where earns(status) group by store_id, day, product_id, title;
  end if;
  return null;
end $$`);
    await runner.query(`drop trigger sales_days_update on order_items;
create trigger sales_days_update after update on order_items for each row
  when ((old.product_id, old.title, old.quantity, old.price) is distinct from
    (new.product_id, new.title, new.quantity, new.price))
  execute function line_updated()`);
  }
}
