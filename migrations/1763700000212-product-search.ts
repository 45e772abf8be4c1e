import type { MigrationInterface, QueryRunner } from 'typeorm';
import { caseFold } from '../src/platform/text/case-folding.js';

/** The number of rows that are written at a time. */
const BATCH = 1_000;
/** Case-folds the text of one line for search. Line feeds are replaced, because they separate the lines. */
const fold = (text: string | null) => caseFold(text ?? '').replaceAll('\n', ' ');

interface Unfolded {
  store_id: string;
  id: string;
  title: string;
  product_id: string;
  tags: string | null;
}

/**
 * Search over the title, external id and tags of products, one on each line. The service writes the text; for
 * a row without one, PostgreSQL computes it, with the letters of the database's locale. Former titles of
 * products are stored too, so that orders can be found by them. They are written when a title changes or a
 * product is deleted, not when an order is placed.
 */
export class ProductSearch1763700000212 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table products add column if not exists search_text text`);
    // Orders update the stock of products. With free space on the page, such an update does not have to
    // change the indexes.
    await runner.query(`alter table products set (fillfactor = 80)`);
    await runner.query(`
      create or replace function product_search_text(search_text text, title text, product_id text, tags text) returns text
      language sql immutable parallel safe as $$
        select coalesce(search_text,
          lower(replace(title, E'\\n', ' ') || E'\\n' || product_id || E'\\n' || coalesce(replace(tags, E'\\n', ' '), '')))
      $$`);
    await this.fold(runner);
    await runner.query(`drop index if exists products_found`);
    await runner.query(`
      create index concurrently products_found on products
      using gin (search_keys(store_id, product_search_text(search_text, title, product_id, tags)))
      with (fastupdate = on, gin_pending_list_limit = 256)`);
    await this.searchAsOwner(runner, 'products');
    await this.keepFormerTitles(runner);
    await this.createFindProducts(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop trigger former_titles_end on stores`);
    await runner.query(`drop trigger former_titles on products`);
    await runner.query(`drop function keep_former_title, end_former_titles, find_products(uuid, text)`);
    await runner.query(`drop table former_titles`);
    await runner.query(`drop index products_found`);
    await runner.query(`drop policy search_by_owner on products`);
    await runner.query(`drop function product_search_text(text, text, text, text)`);
    await runner.query(`alter table products drop column search_text, reset (fillfactor)`);
  }

  /**
   * Writes the texts that PostgreSQL might fold differently, in batches that are locked in the order in which
   * orders lock products.
   */
  private async fold(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table products no force row level security`);
    try {
      for (let [store, id] = Array<string>(2).fill('00000000-0000-0000-0000-000000000000'); ;) {
        const rows = (await runner.query(
          `select store_id, id, title, product_id, tags from products where (store_id, id) > ($1, $2) and search_text is null
             and concat(title, product_id, tags) ~ '[^ -~]' order by store_id, id limit ${BATCH}`,
          [store, id],
        )) as Unfolded[];
        if (rows.length === 0) break;
        const texts = rows.map(({ title, product_id, tags }) =>
          [title, product_id, tags].map(fold).join('\n'),
        );
        await runner.query(
          `with held as (
             select p.store_id, p.id, t.text from unnest($1::uuid[], $2::uuid[], $3::text[]) as t (store_id, id, text)
             join products p on p.store_id = t.store_id and p.id = t.id and p.search_text is null order by p.store_id, p.id for update of p
           ) update products p set search_text = held.text from held where p.store_id = held.store_id and p.id = held.id`,
          [rows.map((row) => row.store_id), rows.map((row) => row.id), texts],
        );
        ({ store_id: store, id } = rows[rows.length - 1]);
      }
    } finally {
      await runner.query(`alter table products force row level security`);
    }
  }

  /**
   * Creates a policy for the owner of the table, because the functions of the search run as the owner, and
   * forced row-level security would otherwise hide the rows.
   */
  private async searchAsOwner(runner: QueryRunner, table: string): Promise<void> {
    await runner.query(`drop policy if exists search_by_owner on ${table}`);
    await runner.query(`create policy search_by_owner on ${table} for select to current_user using (true)`);
  }

  private async keepFormerTitles(runner: QueryRunner): Promise<void> {
    // There is no foreign key to stores: deleting a store deletes its products, whose titles would be written
    // here after the store is gone.
    await runner.query(`
      create table if not exists former_titles (
        store_id uuid not null,
        id bigint generated always as identity,
        product_id text not null,
        title text not null,
        search_text text,
        primary key (store_id, id)
      )`);
    await runner.query(
      `create unique index if not exists former_titles_key on former_titles (store_id, md5(product_id || E'\\n' || title))`,
    );
    await runner.query(`
      create index if not exists former_titles_found on former_titles
      using gin (search_keys(store_id, product_search_text(search_text, title, product_id, null)))`);
    await runner.query(`
      create or replace function keep_former_title() returns trigger language plpgsql as $$ begin
        insert into former_titles (store_id, product_id, title, search_text)
        select old.store_id, old.product_id, old.title, old.search_text
        where exists (select from order_items i where i.store_id = old.store_id and i.product_id = old.product_id)
        on conflict do nothing;
        return null;
      end $$;
      create or replace function end_former_titles() returns trigger language plpgsql as $$ begin
        delete from former_titles where store_id = old.id;
        return null;
      end $$`);
    await this.fillFormerTitles(runner);
    await runner.query(`drop trigger if exists former_titles on products`);
    await runner.query(`drop trigger if exists former_titles_changed on products`);
    await runner.query(
      `create trigger former_titles after delete on products for each row execute function keep_former_title()`,
    );
    await runner.query(`
      create trigger former_titles_changed after update of title on products for each row
      when (old.title is distinct from new.title) execute function keep_former_title()`);
    await runner.query(`drop trigger if exists former_titles_end on stores`);
    await runner.query(
      `create trigger former_titles_end after delete on stores for each row execute function end_former_titles()`,
    );
    await this.searchAsOwner(runner, 'former_titles');
  }

  /**
   * Writes the former titles in existing orders. The orders are only read. The table is protected afterwards,
   * so that its owner can write to it here.
   */
  private async fillFormerTitles(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table order_items no force row level security`);
    await runner.query(`alter table products no force row level security`);
    try {
      await runner.query(`
        insert into former_titles (store_id, product_id, title)
        select i.store_id, i.product_id, i.title from (select distinct store_id, product_id, title from order_items) i
        where not exists (
          select from products p where p.store_id = i.store_id and p.product_id = i.product_id and p.title = i.title
        ) on conflict do nothing`);
      const [{ forced }] = (await runner.query(
        `select relforcerowsecurity as forced from pg_class where oid = 'former_titles'::regclass`,
      )) as { forced: boolean }[];
      if (!forced) await runner.query(`select protect_table('former_titles')`);
    } finally {
      await runner.query(`alter table products force row level security`);
      await runner.query(`alter table order_items force row level security`);
    }
  }

  /**
   * Creates the function that returns the ids of all products with every word of the needle. Only the index
   * of the keys matches its conditions.
   */
  private async createFindProducts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace function find_products(store uuid, needle text) returns setof uuid
      language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off
      set enable_seqscan = off as $$
      begin
        if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return; end if;
        return query select p.id from products p
          where search_keys(p.store_id, product_search_text(p.search_text, p.title, p.product_id, p.tags)) @> needle_keys(store, needle)
            and p.store_id is not distinct from store
            and product_search_text(p.search_text, p.title, p.product_id, p.tags)
              like all (array(select search_pattern(word) from unnest(search_words(needle)) word));
      end $$`);
    await runner.query(`revoke execute on function find_products(uuid, text) from public`);
    await runner.query(`
      do $$ begin
        execute format('grant execute on function find_products(uuid, text) to %I', left(current_database(), 56) || '_store');
      end $$`);
  }
}
