import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * @param unpacked a condition for the entries that a fold adds up; entries that are already in product_spans
 * are not changed
 */
const foldProductDays = (unpacked: string) => `
  create or replace function fold_product_days() returns trigger language plpgsql set enable_bitmapscan = off set enable_nestloop = off
  as $$ begin
    if pg_try_advisory_xact_lock(hashtextextended('product_days' || new.store_id || new.day, 0)) then
      with several as (
        select product_id, title from product_days where store_id = new.store_id and day = new.day ${unpacked}
        group by product_id, title having count(*) > 1
      ), taken as (
        delete from product_days p using several s
        where p.store_id = new.store_id and p.day = new.day and p.product_id = s.product_id and p.title = s.title ${unpacked} returning p.*)
      insert into product_days (store_id, day, product_id, title, quantity, revenue)
      select new.store_id, new.day, product_id, title, sum(quantity), sum(revenue)
      from taken group by product_id, title having sum(quantity) <> 0 or sum(revenue) <> 0;
    end if;
    return null;
  end $$`;

const endSalesDays = (more: string) => `
  create or replace function end_sales_days() returns trigger language plpgsql as $$ begin
    delete from order_days where store_id = old.id;
    delete from product_days where store_id = old.id;
    ${more}
    return null;
  end $$`;

/**
 * Sums of product_days over spans of days, with one row for each span and the products in parallel arrays, so
 * that get_analytics reads a few rows instead of one for each product of each day. The service packs a day
 * after its end (src/stores/sales-packing.service.ts) and marks the packed entries. Readers always use the
 * spans and the entries that are in no span yet. The triggers of orders do not depend on this.
 */
export class PackedSales1763700000314 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table product_days add column packed boolean not null default false`);
    // There is no foreign key to stores, as for product_days. A trigger deletes the rows with the store.
    await runner.query(`
      create table product_spans (
        store_id uuid not null,
        days smallint not null,
        first_day date not null,
        product_ids text[] not null,
        quantities bigint[] not null,
        revenues numeric[] not null,
        primary key (store_id, days, first_day)
      )`);
    await runner.query(`create index product_spans_age on product_spans (first_day)`);
    await runner.query(`select protect_table('product_spans')`);
    await runner.query(foldProductDays('and not packed'));
    await runner.query(endSalesDays('delete from product_spans where store_id = old.id;'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(endSalesDays(''));
    await runner.query(foldProductDays(''));
    await runner.query(`drop table product_spans`);
    await runner.query(`alter table product_days drop column packed`);
  }
}
