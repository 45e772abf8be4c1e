import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Trees of categories. Deleting a category makes its children roots and clears the links of its products.
 * `sort_order` is a bigint, because it may be any integer that JSON can represent exactly. The two indexes
 * have the order of lists: of all categories, and of those under one parent.
 */
export class Categories1763700000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table categories (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        name text not null,
        slug text not null,
        description text,
        image_url text,
        parent_id uuid,
        sort_order bigint not null,
        is_active boolean not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint categories_slug_key unique (store_id, slug),
        constraint categories_parent_not_self check (parent_id <> id),
        constraint categories_parent
          foreign key (store_id, parent_id) references categories (store_id, id) on delete set null (parent_id)
      )`);
    await runner.query(`create index categories_sorted on categories (store_id, sort_order, id desc)`);
    await runner.query(
      `create index categories_of_parent on categories (store_id, parent_id, sort_order, id desc)`,
    );
    await runner.query(`select protect_table('categories')`);
    await runner.query(`
      alter table products add constraint products_category
        foreign key (store_id, category_id) references categories (store_id, id) on delete set null (category_id)`);
    await runner.query(
      `create index products_of_category on products (store_id, category_id) where category_id is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index products_of_category`);
    await runner.query(`alter table products drop constraint products_category`);
    await runner.query(`drop table categories`);
  }
}
