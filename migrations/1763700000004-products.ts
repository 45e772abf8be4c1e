import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Products and their variants. Prices are exact decimals in the store's currency (docs/behaviour.md §4.2).
 */
export class Products1763700000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table products (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        product_id text not null,
        title text not null,
        description text not null,
        images text[] not null,
        price numeric not null check (price > 0),
        sale_price numeric check (sale_price > 0),
        item_amount integer check (item_amount >= 0),
        is_hidden boolean not null default false,
        brand text,
        category text,
        sub_category text,
        tags text,
        shipping_time text,
        season text,
        brand_id uuid,
        category_id uuid,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint products_product_id_key unique (store_id, product_id)
      )`);
    await runner.query(`select protect_table('products')`);
    await runner.query(`
      create table variants (
        store_id uuid not null,
        id uuid not null,
        product_id uuid not null,
        option_title text not null,
        variant_value text not null,
        price numeric not null check (price >= 0),
        sale_price numeric check (sale_price >= 0),
        item_amount integer check (item_amount >= 0),
        sort_order integer not null default 0,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint variants_product foreign key (store_id, product_id) references products (store_id, id) on delete cascade
      )`);
    await runner.query(`create index variants_of_product on variants (store_id, product_id, id)`);
    await runner.query(`select protect_table('variants')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table variants, products`);
  }
}
