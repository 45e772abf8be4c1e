import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['orders', 'webhook_deliveries'];

/**
 * Deleting an order clears the bodies of all its deliveries, not only of pending ones. Those of orders
 * deleted before are cleared here.
 */
export class DeliveriesOfDeletedOrders1763700000123 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index webhook_deliveries_of_order`);
    await runner.query(`create index webhook_deliveries_of_order on webhook_deliveries (store_id, order_id)`);
    for (const table of TABLES) await runner.query(`alter table ${table} no force row level security`);
    await runner.query(`
      update webhook_deliveries d set body = ''
      where d.order_id is not null and not exists (select from orders o where o.store_id = d.store_id and o.id = d.order_id)`);
    for (const table of TABLES) await runner.query(`alter table ${table} force row level security`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index webhook_deliveries_of_order`);
    await runner.query(
      `create index webhook_deliveries_of_order on webhook_deliveries (store_id, order_id) where status = 'pending'`,
    );
  }
}
