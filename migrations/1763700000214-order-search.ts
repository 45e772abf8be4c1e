import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns of each index, by its name. */
const INDEXES = {
  orders_by_creation: 'orders (store_id, status, created_at, id)',
  orders_by_update: 'orders (store_id, status, updated_at, id)',
  orders_of_tracking:
    'orders (store_id, lower(tracking_number) text_pattern_ops) where tracking_number is not null',
  order_items_of_product: 'order_items (store_id, product_id, order_id)',
  products_by_visibility: 'products (store_id, is_hidden, id)',
  products_of_brand_by_id: 'products (store_id, brand_id, id) where brand_id is not null',
  products_of_category_by_id: 'products (store_id, category_id, id) where category_id is not null',
};

/**
 * The indexes that find_orders and find_products read in order, so that a first page costs the same in stores
 * of any size. A change of an order's status updates two more indexes. The words of an order are those of its
 * customer and products, so an order writes none.
 */
export class OrderSearch1763700000214 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) {
      await runner.query(`drop index if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${on}`);
    }
    await runner.query(`drop index if exists products_of_brand, products_of_category`);
    await runner.query(`drop policy if exists search_by_owner on orders`);
    await runner.query(`create policy search_by_owner on orders for select to current_user using (true)`);
    await this.createFindOrders(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function find_order_text(uuid, text)`);
    await runner.query(`drop policy search_by_owner on orders`);
    await runner.query(
      `create index products_of_brand on products (store_id, brand_id) where brand_id is not null`,
    );
    await runner.query(
      `create index products_of_category on products (store_id, category_id) where category_id is not null`,
    );
    for (const name of Object.keys(INDEXES)) await runner.query(`drop index ${name}`);
  }

  /**
   * Creates the function that resolves the words of a search: to customers by their names, to external ids of
   * products by present or former titles and ids, and to orders by the beginning of their tracking number.
   * Tags are not searched.
   */
  private async createFindOrders(runner: QueryRunner): Promise<void> {
    const titled = (text: string) =>
      `split_part(${text}, E'\\n', 1) || E'\\n' || split_part(${text}, E'\\n', 2)`;
    const words = `array(select search_pattern(word) from unnest(search_words(needle)) word)`;
    const current = 'product_search_text(p.search_text, p.title, p.product_id, p.tags)';
    const former = 'product_search_text(f.search_text, f.title, f.product_id, null)';
    await runner.query(`
      create or replace function find_order_text(store uuid, needle text, out customers bigint[], out products text[], out orders bigint[])
      language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off
      set enable_seqscan = off as $$
      begin
        if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return; end if;
        customers := array(select c.id from customers c
          where search_keys(c.store_id, c.search_text) @> needle_keys(store, needle) and c.store_id is not distinct from store
            and c.search_text like all (customer_patterns(needle)));
        products := array(
          select p.product_id from products p where search_keys(p.store_id, ${current}) @> needle_keys(store, needle)
            and p.store_id is not distinct from store and ${titled(current)} like all (${words})
          union
          select f.product_id from former_titles f where search_keys(f.store_id, ${former}) @> needle_keys(store, needle)
            and f.store_id is not distinct from store and ${titled(former)} like all (${words}));
        orders := array(select o.id from orders o where o.store_id = store and o.tracking_number is not null
          and lower(o.tracking_number) like substr(search_pattern(needle), 2));
      end $$`);
    await runner.query(`revoke execute on function find_order_text(uuid, text) from public`);
    await runner.query(`
      do $$ begin
        execute format('grant execute on function find_order_text(uuid, text) to %I', left(current_database(), 56) || '_store');
      end $$`);
  }
}
