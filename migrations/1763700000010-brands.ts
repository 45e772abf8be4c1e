import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Brands, and the links of products to them. Deleting a brand clears the link and changes nothing else in the
 * product.
 */
export class Brands1763700000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table brands (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        name text not null,
        slug text not null,
        description text,
        logo_url text,
        website_url text,
        is_active boolean not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint brands_slug_key unique (store_id, slug)
      )`);
    await runner.query(`select protect_table('brands')`);
    await runner.query(`
      alter table products add constraint products_brand
        foreign key (store_id, brand_id) references brands (store_id, id) on delete set null (brand_id)`);
    await runner.query(
      `create index products_of_brand on products (store_id, brand_id) where brand_id is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index products_of_brand`);
    await runner.query(`alter table products drop constraint products_brand`);
    await runner.query(`drop table brands`);
  }
}
