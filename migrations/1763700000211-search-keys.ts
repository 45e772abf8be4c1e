import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Search by words. `search_keys` splits a text into all pieces of 1, 2, 3 and 6 characters, and hashes each
 * together with the store to a number. Pieces of six characters are so rare that a name is found in a store
 * with a million customers as fast as in a small one, and numbers take a fraction of the space of texts.
 * Collisions are removed by comparing with the patterns.
 */
export class SearchKeys1763700000211 implements MigrationInterface {
  /** The index is built while instances serve calls. The migration can be run again. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(String.raw`
      -- An index must call this function with its schema, because maintenance runs without a search path.
      create or replace function search_key(store uuid, piece text) returns integer language sql immutable strict parallel safe as $$
        select (hashtextextended(piece, uuid_hash_extended(store, 0)) & 2147483647)::integer $$;
      create or replace function search_keys(store uuid, value text) returns integer[] language sql immutable strict parallel safe as $$
        select array(select distinct public.search_key(store, substr(value, at, size))
          from generate_series(1, length(value)) at, unnest(array[1, 2, 3, 6]) size where at + size <= length(value) + 1)
      $$;
      -- The words of a search, all of which must be found. A text of blanks only is searched as it is.
      create or replace function search_words(needle text) returns text[] language sql immutable strict parallel safe as $$
        select coalesce(nullif(array_remove(string_to_array(needle, ' '), ''), '{}'), array[needle]) $$;
      create or replace function search_pattern(word text) returns text language sql immutable strict parallel safe as $$
        select '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%' $$;
      -- The patterns for customers. A word with @ is the beginning of the username, which is the third line of search_text.
      create or replace function customer_patterns(needle text) returns text[] language sql immutable strict parallel safe as $$
        select array(select case when word like '@_%' then E'%\n%\n' || substr(search_pattern(substr(word, 2)), 2) else search_pattern(word) end
          from unnest(search_words(needle)) word) $$;
      -- The keys that a matching text must have: all pieces of a short word, and enough pieces of a long one to cover it.
      create or replace function needle_keys(store uuid, needle text) returns integer[] language sql immutable strict parallel safe as $$
        select array(
          select distinct search_key(store, substr(w.word, at, w.size)) from (
            select word, case when length(word) >= 6 then 6 when length(word) >= 3 then 3 else length(word) end as size
            from (select case when word like '@_%' then substr(word, 2) else word end as word from unnest(search_words(needle)) word) x
          ) w, generate_series(1, length(w.word) - w.size + 1) at
          where w.size < 6 or at % 3 = 1 or at = length(w.word) - 5)
      $$`);
    await runner.query(`drop index if exists customers_found`);
    await runner.query(`
      create index concurrently customers_found on customers using gin (search_keys(store_id, search_text))
      with (fastupdate = on, gin_pending_list_limit = 256)`);
    await this.replaceFindCustomers(runner);
    await runner.query(`drop index if exists customers_search`);
    await runner.query(`drop function if exists search_grams(text)`);
  }

  /** The older index and function are not restored. The older version creates them when it migrates again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index customers_found`);
    await runner.query(`drop function needle_keys(uuid, text), customer_patterns(text), search_pattern(text), search_words(text),
      search_keys(uuid, text), search_key(uuid, text)`);
  }

  private async replaceFindCustomers(runner: QueryRunner): Promise<void> {
    // Returns the ids of the customers after \`after\` that have all words of the needle, the lowest first.
    // The function runs as the owner of the tables, whose policy allows the index to be used, so it must
    // check itself that the store is that of the session. A needle that matches several of the next 500
    // customers is common, so reading in the order of the ids soon fills the page. Others are found with the
    // index. Neither depends on the size of the store. No other index matches the conditions of the second
    // query.
    await runner.query(`
      create or replace function find_customers(store uuid, needle text, after bigint, take integer) returns setof bigint
      language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off
      set enable_seqscan = off as $$
      declare
        patterns text[] := customer_patterns(needle);
        edge bigint := after;
        reach bigint;
        span integer;
        found_now integer;
        left_over integer := take;
      begin
        if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return; end if;
        foreach span in array array[500, 20000] loop
          select c.id into reach from customers c where c.store_id = store and c.id > edge order by c.id offset span - 1 limit 1;
          return query select c.id from customers c
            where c.store_id = store and c.id > edge and c.id <= coalesce(reach, 9223372036854775807) and c.search_text like all (patterns)
            order by c.id limit left_over;
          get diagnostics found_now = row_count;
          left_over := left_over - found_now;
          if reach is null or left_over = 0 then return; end if;
          edge := reach;
          exit when found_now < 2;
        end loop;
        return query select m.id from (
            select c.id from customers c where search_keys(c.store_id, c.search_text) @> needle_keys(store, needle)
              and c.store_id is not distinct from store and c.id + 0 > edge and c.search_text like all (patterns) offset 0
          ) m order by m.id limit left_over;
      end $$`);
  }
}
