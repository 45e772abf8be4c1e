import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an order must remember of the moment it was placed, since catalog and configuration change: the statuses it has had, how its
 * price came about, what cancelling gave back, and for each line the product and variant it was sold from, the keys of its category
 * and the tracked stock it took. All are null for orders from before, and mean "not recorded" there.
 */
export class OrderMemory1763700000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table orders add column entered text[], add column pricing json, add column cancellation json`);
    // No foreign keys: products and variants may be deleted, and the order stays.
    await runner.query(`
      alter table order_items add column catalog_product_id uuid, add column catalog_variant_id uuid, add column category_keys json,
        add column stock_taken bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table order_items drop column catalog_product_id, drop column catalog_variant_id, drop column category_keys,
        drop column stock_taken`);
    await runner.query(`alter table orders drop column entered, drop column pricing, drop column cancellation`);
  }
}
