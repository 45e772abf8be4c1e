import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The variant_id of a mark for the product itself. */
const NO_VARIANT = '00000000-0000-0000-0000-000000000000';

/**
 * The filters of products that orders change: the time of the last change, and how low the stock is. They are
 * stored separately, so that a change of stock does not have to change the indexes of the wide product rows.
 * Triggers maintain them. A level is a range of stock, 0 for none left, so it changes rarely; above 100
 * pieces there is no level. A variant has a mark only while its stock is low.
 */
export class ProductMarks1763700000213 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // There are no foreign keys, because their checks would lock products in another order than orders do.
    // Triggers delete the marks.
    await runner.query(`
      create table product_marks (
        store_id uuid not null,
        product_id uuid not null,
        variant_id uuid not null,
        changed_at timestamptz(3),
        level smallint,
        primary key (store_id, product_id, variant_id)
      ) with (fillfactor = 80)`);
    await runner.query(`
      create function stock_level(pieces bigint) returns smallint language sql immutable parallel safe as $$
        select case when pieces <= 0 then 0 when pieces <= 5 then 1 when pieces <= 20 then 2 when pieces <= 100 then 3 end::smallint $$`);
    await this.createTriggers(runner);
    await this.fillIn(runner);
    await runner.query(
      `create index product_marks_changed on product_marks (store_id, changed_at, product_id) where changed_at is not null`,
    );
    await runner.query(
      `create index product_marks_low on product_marks (store_id, level, product_id) where level is not null`,
    );
    await runner.query(`select protect_table('product_marks')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger product_marks_end on stores;
      drop trigger product_marks_insert on products;
      drop trigger product_marks_update on products;
      drop trigger product_marks_delete on products;
      drop trigger product_marks_insert on variants;
      drop trigger product_marks_update on variants;
      drop trigger product_marks_delete on variants;
      drop table product_marks;
      drop function mark_product, mark_variant, unmark_product, unmark_variant, end_product_marks, stock_level`);
  }

  private async createTriggers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function mark_product() returns trigger language plpgsql as $$ begin
        insert into product_marks as m (store_id, product_id, variant_id, changed_at, level)
        values (new.store_id, new.id, '${NO_VARIANT}', new.updated_at, stock_level(new.item_amount))
        on conflict (store_id, product_id, variant_id) do update set changed_at = excluded.changed_at, level = excluded.level;
        return null;
      end $$;
      create function mark_variant() returns trigger language plpgsql as $$ begin
        if stock_level(new.item_amount) is null then
          delete from product_marks where store_id = new.store_id and product_id = new.product_id and variant_id = new.id;
        else
          insert into product_marks as m (store_id, product_id, variant_id, level)
          values (new.store_id, new.product_id, new.id, stock_level(new.item_amount))
          on conflict (store_id, product_id, variant_id) do update set level = excluded.level;
        end if;
        return null;
      end $$;
      create function unmark_product() returns trigger language plpgsql as $$ begin
        delete from product_marks where store_id = old.store_id and product_id = old.id;
        return null;
      end $$;
      create function unmark_variant() returns trigger language plpgsql as $$ begin
        delete from product_marks where store_id = old.store_id and product_id = old.product_id and variant_id = old.id;
        return null;
      end $$;
      create function end_product_marks() returns trigger language plpgsql as $$ begin
        delete from product_marks where store_id = old.id;
        return null;
      end $$`);
    const changed = `(old.updated_at, stock_level(old.item_amount)) is distinct from (new.updated_at, stock_level(new.item_amount))`;
    const moved = `stock_level(old.item_amount) is distinct from stock_level(new.item_amount)`;
    await runner.query(`
      create trigger product_marks_insert after insert on products for each row execute function mark_product();
      create trigger product_marks_update after update on products for each row when (${changed}) execute function mark_product();
      create trigger product_marks_delete after delete on products for each row execute function unmark_product();
      create trigger product_marks_insert after insert on variants for each row
        when (stock_level(new.item_amount) is not null) execute function mark_variant();
      create trigger product_marks_update after update on variants for each row when (${moved}) execute function mark_variant();
      create trigger product_marks_delete after delete on variants for each row
        when (stock_level(old.item_amount) is not null) execute function unmark_variant();
      create trigger product_marks_end after delete on stores for each row execute function end_product_marks()`);
  }

  private async fillIn(runner: QueryRunner): Promise<void> {
    for (const table of ['products', 'variants'])
      await runner.query(`alter table ${table} no force row level security`);
    await runner.query(`
      insert into product_marks (store_id, product_id, variant_id, changed_at, level)
      select store_id, id, '${NO_VARIANT}', updated_at, stock_level(item_amount) from products
      union all
      select store_id, product_id, id, null, stock_level(item_amount) from variants where stock_level(item_amount) is not null
      on conflict do nothing`);
    for (const table of ['products', 'variants'])
      await runner.query(`alter table ${table} force row level security`);
  }
}
