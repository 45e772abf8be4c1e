import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Search over the names of customers (see `find_customers`). The index has its own pieces of text instead of
 * those of pg_trgm: LIKE is not leakproof, so with row-level security PostgreSQL never uses a trigram index
 * for it; pg_trgm recognizes only the letters of the database's locale; and it has no trigrams for names of
 * two characters, which are common in much of Asia.
 */
export class CustomerSearch1763700000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create extension if not exists btree_gin`);
    // Case-folded first name, last name and username, one on each line. The service writes the text, because
    // lower() depends on the locale.
    await runner.query(`alter table customers add column search_text text not null default E'\\n\\n',
      add constraint customers_referrer foreign key (store_id, referrer_id) references customers (store_id, id)`);
    await runner.query(`update customers
      set search_text = lower(concat(first_name, E'\\n', last_name, E'\\n', username)) where coalesce(first_name, last_name, username) is not null`);
    // Every order updates the row of its customer. With free space on the page, such an update does not have
    // to change the indexes.
    await runner.query(`alter table customers set (fillfactor = 80)`);
    await runner.query(`
      create function search_grams(value text) returns text[] language sql immutable strict parallel safe as $$
        select array(select distinct substr(value, at, size) from generate_series(1, length(value)) at, generate_series(1, 3) size
          where at + size <= length(value) + 1)
      $$`);
    await runner.query(
      `create index customers_search on customers using gin (store_id, search_grams(search_text)) with (fastupdate = off)`,
    );
    await this.createFindCustomers(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function find_customers(uuid, text, bigint, integer)`);
    await runner.query(`drop policy search_by_owner on customers`);
    await runner.query(`drop index customers_search`);
    await runner.query(`drop function search_grams(text)`);
    await runner.query(
      `alter table customers drop constraint customers_referrer, drop column search_text, reset (fillfactor)`,
    );
  }

  private async createFindCustomers(runner: QueryRunner): Promise<void> {
    await runner.query(`create policy search_by_owner on customers for select to current_user using (true)`);
    // Returns the ids of the customers after \`after\` whose search_text contains \`needle\`, the lowest
    // first. The function runs as the owner of the tables, whose policy allows the index to be used, so it
    // must check itself that the store is that of the session. Texts that match many customers are found by
    // reading a short range of ids; the index is used only for texts that are rare there. So the whole store
    // is never read, whether a text is in every row or in none.
    await runner.query(`
      create function find_customers(store uuid, needle text, after bigint, take integer) returns setof bigint
      language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off as $$
      declare
        edge bigint;
        found_near integer;
        grams text[];
      begin
        if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return; end if;
        select c.id into edge from customers c where c.store_id = store and c.id > after order by c.id offset 19999 limit 1;
        return query select c.id from customers c
          where c.store_id = store and c.id > after and c.id <= coalesce(edge, 9223372036854775807) and strpos(c.search_text, needle) > 0
          order by c.id limit take;
        get diagnostics found_near = row_count;
        if edge is null or found_near = take then return; end if;
        grams := case when length(needle) < 3 then array[needle]
          else array(select substr(needle, at, 3) from generate_series(1, length(needle) - 2) at) end;
        -- OFFSET 0 plans the inner query for all of its rows: with the limit in sight the planner would walk the ids again.
        return query select m.id from (
            select c.id from customers c where c.store_id = store and c.id > edge
              and search_grams(c.search_text) @> grams and strpos(c.search_text, needle) > 0 offset 0
          ) m order by m.id limit take - found_near;
      end $$`);
    await runner.query(`revoke execute on function find_customers(uuid, text, bigint, integer) from public`);
    await runner.query(`
      do $$ begin
        execute format('grant execute on function find_customers(uuid, text, bigint, integer) to %I', left(current_database(), 56) || '_store');
      end $$`);
  }
}
