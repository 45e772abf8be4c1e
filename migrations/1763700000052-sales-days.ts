import type { MigrationInterface, QueryRunner } from 'typeorm';

/** About how many entries a day gets before they are added up again. */
const FOLD_EVERY = 500;

/**
 * Adds the lines in a transition table to product_days, or subtracts them. The order is locked, so that its
 * status does not change.
 */
const enterLines = (lines: string, sign: 1 | -1) => `
  with held as materialized (
    select l.store_id, o.status, sales_day(o.created_at) as day, l.product_id, l.title, l.quantity, l.price
    from ${lines} l join orders o on o.store_id = l.store_id and o.id = l.order_id for share of o)
  insert into product_days (store_id, day, product_id, title, quantity, revenue)
  select store_id, day, product_id, title, ${sign} * sum(quantity), ${sign} * sum(price::numeric * quantity)
  from held where earns(status) group by store_id, day, product_id, title;`;

/**
 * Sales per UTC day, so that get_analytics does not have to read all orders of a store. Triggers maintain
 * them for every change of orders. The sales of a day are the sum of its rows: a change of status only
 * inserts a row, so that writers never wait for each other, and from time to time an insert folds the rows of
 * its day into one.
 */
export class SalesDays1763700000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.tables(runner);
    await this.orderTriggers(runner);
    await this.lineTriggers(runner);
    await this.folding(runner);
    await this.fillIn(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger sales_days_end on stores;
      drop trigger sales_days_insert on orders;
      drop trigger sales_days_update on orders;
      drop trigger sales_days_delete on orders;
      drop trigger sales_days_insert on order_items;
      drop trigger sales_days_update on order_items;
      drop trigger sales_days_delete on order_items;
      drop index orders_by_time;
      drop table order_days, product_days;
      drop function end_sales_days, orders_inserted, order_updated, order_deleted, lines_changed, fold_order_days, fold_product_days,
        enter_order, enter_lines, earned, earns, sales_day`);
  }

  private async tables(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function sales_day(at timestamptz) returns date language sql immutable as $$ select (at at time zone 'UTC')::date $$;
      create function earns(status text) returns boolean language sql immutable as $$
        select status in ('PROCESSING', 'SHIPPED', 'DELIVERED') $$;
      create function earned(status text, total_price bigint) returns numeric language sql immutable as $$
        select case when earns(status) then total_price::numeric else 0 end $$`);
    // There is no foreign key to stores, because its check would slow down every change of status. The rows
    // are derived from orders, and a trigger deletes them with the store.
    await runner.query(`
      create table order_days (
        store_id uuid not null,
        day date not null,
        id bigint generated always as identity,
        pending integer not null,
        processing integer not null,
        shipped integer not null,
        delivered integer not null,
        cancelled integer not null,
        revenue numeric not null,
        primary key (store_id, day, id)
      );
      create table product_days (
        store_id uuid not null,
        day date not null,
        id bigint generated always as identity,
        product_id text not null,
        title text not null,
        quantity bigint not null,
        revenue numeric not null,
        primary key (store_id, day, id)
      );
      select protect_table('order_days');
      select protect_table('product_days');
      create function end_sales_days() returns trigger language plpgsql as $$ begin
        delete from order_days where store_id = old.id;
        delete from product_days where store_id = old.id;
        return null;
      end $$;
      create trigger sales_days_end after delete on stores for each row execute function end_sales_days()`);
    // This index is for the first and the last day of a window, which may be partial.
    await runner.query(`create index orders_by_time on orders (store_id, created_at)`);
  }

  private async orderTriggers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Inserts one entry for an order that changes from one status to another; null means no status.
      create function enter_order(store uuid, on_day date, leaving text, entering text, amount numeric) returns void
      language plpgsql as $$ begin
        insert into order_days (store_id, day, pending, processing, shipped, delivered, cancelled, revenue) values (store, on_day,
          (entering is not distinct from 'PENDING')::int - (leaving is not distinct from 'PENDING')::int,
          (entering is not distinct from 'PROCESSING')::int - (leaving is not distinct from 'PROCESSING')::int,
          (entering is not distinct from 'SHIPPED')::int - (leaving is not distinct from 'SHIPPED')::int,
          (entering is not distinct from 'DELIVERED')::int - (leaving is not distinct from 'DELIVERED')::int,
          (entering is not distinct from 'CANCELLED')::int - (leaving is not distinct from 'CANCELLED')::int, amount);
      end $$;
      create function enter_lines(store uuid, order_number bigint, on_day date, sign integer) returns void language plpgsql as $$ begin
        insert into product_days (store_id, day, product_id, title, quantity, revenue)
        select store, on_day, i.product_id, i.title, sign * i.quantity, i.price::numeric * (sign * i.quantity)
        from order_items i where i.store_id = store and i.order_id = order_number;
      end $$`);
    await runner.query(`
      create function orders_inserted() returns trigger language plpgsql as $$ begin
        insert into order_days (store_id, day, pending, processing, shipped, delivered, cancelled, revenue)
        select o.store_id, sales_day(o.created_at), count(*) filter (where o.status = 'PENDING'),
          count(*) filter (where o.status = 'PROCESSING'), count(*) filter (where o.status = 'SHIPPED'),
          count(*) filter (where o.status = 'DELIVERED'), count(*) filter (where o.status = 'CANCELLED'),
          sum(earned(o.status, o.total_price))
        from added o group by o.store_id, sales_day(o.created_at);
        return null;
      end $$;
      create function order_updated() returns trigger language plpgsql as $$
      declare
        old_day date := sales_day(old.created_at);
        new_day date := sales_day(new.created_at);
      begin
        if old_day = new_day then
          perform enter_order(new.store_id, new_day, old.status, new.status,
            earned(new.status, new.total_price) - earned(old.status, old.total_price));
        else
          perform enter_order(old.store_id, old_day, old.status, null, -earned(old.status, old.total_price));
          perform enter_order(new.store_id, new_day, null, new.status, earned(new.status, new.total_price));
        end if;
        if earns(old.status) and (not earns(new.status) or old_day <> new_day) then
          perform enter_lines(old.store_id, old.id, old_day, -1);
        end if;
        if earns(new.status) and (not earns(old.status) or old_day <> new_day) then
          perform enter_lines(new.store_id, new.id, new_day, 1);
        end if;
        return null;
      end $$;
      -- The trigger runs before the deletion, because the lines are deleted with the order.
      create function order_deleted() returns trigger language plpgsql as $$ begin
        perform enter_order(old.store_id, sales_day(old.created_at), old.status, null, -earned(old.status, old.total_price));
        if earns(old.status) then perform enter_lines(old.store_id, old.id, sales_day(old.created_at), -1); end if;
        return old;
      end $$;
      create trigger sales_days_insert after insert on orders referencing new table as added
        for each statement execute function orders_inserted();
      create trigger sales_days_update after update on orders for each row
        when ((old.status, old.total_price, old.created_at) is distinct from (new.status, new.total_price, new.created_at))
        execute function order_updated();
      create trigger sales_days_delete before delete on orders for each row execute function order_deleted()`);
  }

  /**
   * Creates the triggers of order lines. Lines that are deleted with their order are not counted again,
   * because their order is gone.
   */
  private async lineTriggers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function lines_changed() returns trigger language plpgsql as $$ begin
        if tg_op <> 'INSERT' then ${enterLines('removed', -1)} end if;
        if tg_op <> 'DELETE' then ${enterLines('added', 1)} end if;
        return null;
      end $$;
      create trigger sales_days_insert after insert on order_items referencing new table as added
        for each statement execute function lines_changed();
      create trigger sales_days_update after update on order_items referencing old table as removed new table as added
        for each statement execute function lines_changed();
      create trigger sales_days_delete after delete on order_items referencing old table as removed
        for each statement execute function lines_changed()`);
  }

  /**
   * Creates the functions that fold the entries of a day. Only one transaction at a time folds a day; others
   * skip it, so folding never waits. The entries that a fold inserts do not start another. A day grows faster
   * than the statistics of the planner are updated, so a nested loop over it would be quadratic, and only
   * plain index scans mark the entries of deleted rows as dead.
   */
  private async folding(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function fold_order_days() returns trigger language plpgsql set enable_bitmapscan = off as $$ begin
        if pg_try_advisory_xact_lock(hashtextextended('order_days' || new.store_id || new.day, 0)) then
          with taken as (delete from order_days where store_id = new.store_id and day = new.day returning *)
          insert into order_days (store_id, day, pending, processing, shipped, delivered, cancelled, revenue)
          select new.store_id, new.day, sum(pending), sum(processing), sum(shipped), sum(delivered), sum(cancelled), sum(revenue)
          from taken;
        end if;
        return null;
      end $$;
      create function fold_product_days() returns trigger language plpgsql set enable_bitmapscan = off set enable_nestloop = off
      as $$ begin
        if pg_try_advisory_xact_lock(hashtextextended('product_days' || new.store_id || new.day, 0)) then
          with several as (
            select product_id, title from product_days where store_id = new.store_id and day = new.day
            group by product_id, title having count(*) > 1
          ), taken as (
            delete from product_days p using several s
            where p.store_id = new.store_id and p.day = new.day and p.product_id = s.product_id and p.title = s.title returning p.*)
          insert into product_days (store_id, day, product_id, title, quantity, revenue)
          select new.store_id, new.day, product_id, title, sum(quantity), sum(revenue)
          from taken group by product_id, title having sum(quantity) <> 0 or sum(revenue) <> 0;
        end if;
        return null;
      end $$;
      create trigger fold after insert on order_days for each row
        when (new.id % ${FOLD_EVERY} = 0 and pg_trigger_depth() < 2) execute function fold_order_days();
      create trigger fold after insert on product_days for each row
        when (new.id % ${FOLD_EVERY} = 0 and pg_trigger_depth() < 2) execute function fold_product_days()`);
  }

  /**
   * Counts the existing orders. The owner of the tables can see them only while row-level security is not
   * forced.
   */
  private async fillIn(runner: QueryRunner): Promise<void> {
    const tables = ['orders', 'order_items', 'order_days', 'product_days'];
    for (const table of tables) await runner.query(`alter table ${table} no force row level security`);
    await runner.query(`
      insert into order_days (store_id, day, pending, processing, shipped, delivered, cancelled, revenue)
      select store_id, sales_day(created_at), count(*) filter (where status = 'PENDING'),
        count(*) filter (where status = 'PROCESSING'), count(*) filter (where status = 'SHIPPED'),
        count(*) filter (where status = 'DELIVERED'), count(*) filter (where status = 'CANCELLED'), sum(earned(status, total_price))
      from orders group by store_id, sales_day(created_at)`);
    await runner.query(`
      insert into product_days (store_id, day, product_id, title, quantity, revenue)
      select o.store_id, sales_day(o.created_at), i.product_id, i.title, sum(i.quantity), sum(i.price::numeric * i.quantity)
      from orders o join order_items i on i.store_id = o.store_id and i.order_id = o.id
      where earns(o.status) group by o.store_id, sales_day(o.created_at), i.product_id, i.title`);
    for (const table of tables) await runner.query(`alter table ${table} force row level security`);
  }
}
