import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sources of an order's timeline: its audit rows, its deliveries, and the messages to the shopper. */
export class OrderTimeline1763700000215 implements MigrationInterface {
  /** The indexes are built while instances serve calls. The migration can be run again. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index if exists audit_log_of_orders`);
    await runner.query(
      `create index concurrently audit_log_of_orders on audit_log (store_id, target) where target like 'order:%'`,
    );
    await runner.query(`
      create table if not exists order_messages (
        store_id uuid not null,
        id uuid not null,
        order_id bigint not null,
        kind text not null check (kind in ('shipped')),
        outcome text not null,
        sent_by text not null,
        created_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint order_messages_order foreign key (store_id, order_id) references orders (store_id, id) on delete cascade
      )`);
    await runner.query(
      `create index if not exists order_messages_of_order on order_messages (store_id, order_id, id)`,
    );
    const [{ isProtected }] = (await runner.query(
      `select relforcerowsecurity as "isProtected" from pg_class where oid = 'order_messages'::regclass`,
    )) as { isProtected: boolean }[];
    if (!isProtected) await runner.query(`select protect_table('order_messages')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table order_messages`);
    await runner.query(`drop index audit_log_of_orders`);
  }
}
