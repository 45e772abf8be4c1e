import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The facts that an order must store, because the catalog and the configuration change later: the statuses it
 * has had, how its price was computed, what cancelling gave back, and for each line the product and variant,
 * the keys of the category and the tracked stock that was taken. All are null for earlier orders, for which
 * they were not recorded.
 */
export class OrderMemory1763700000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table orders add column entered text[], add column pricing json, add column cancellation json`,
    );
    // There are no foreign keys, because orders remain after their products and variants have been deleted.
    await runner.query(`
      alter table order_items add column catalog_product_id uuid, add column catalog_variant_id uuid, add column category_keys json,
        add column stock_taken bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table order_items drop column catalog_product_id, drop column catalog_variant_id, drop column category_keys,
        drop column stock_taken`);
    await runner.query(
      `alter table orders drop column entered, drop column pricing, drop column cancellation`,
    );
  }
}
