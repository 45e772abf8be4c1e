import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys and payment ids with which repeated orders and payments are recognized. */
export class Storefront1763700000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A retry reads the order itself, so that no copy of the shopper's data outlives it. order_id is null
    // after the order was deleted.
    await runner.query(`
      create table order_keys (
        store_id uuid not null,
        customer_id bigint not null,
        key text not null,
        input_hash text not null,
        order_id bigint,
        created_at timestamptz(3) not null,
        primary key (store_id, customer_id, key),
        constraint order_keys_customer foreign key (store_id, customer_id) references customers (store_id, id) on delete cascade,
        constraint order_keys_order foreign key (store_id, order_id) references orders (store_id, id) on delete set null (order_id)
      )`);
    await runner.query(`create index order_keys_age on order_keys (store_id, created_at)`);
    await runner.query(`create index order_keys_of_order on order_keys (store_id, order_id)`);
    await runner.query(`select protect_table('order_keys')`);
    // All payments that the messenger reported, by their charge ids. Those that match no order are included,
    // because the owner has the money.
    await runner.query(`
      create table payments (
        store_id uuid not null references stores on delete cascade,
        charge_id text not null,
        provider_charge_id text,
        payer_id bigint not null,
        invoice_payload text not null,
        order_id bigint,
        currency text not null,
        amount bigint not null,
        outcome text not null
          check (outcome in ('accepted', 'unknown_order', 'other_shopper', 'other_currency', 'other_amount', 'not_pending')),
        received_at timestamptz(3) not null,
        primary key (store_id, charge_id),
        constraint payments_order foreign key (store_id, order_id) references orders (store_id, id) on delete set null (order_id)
      )`);
    await runner.query(`create index payments_of_order on payments (store_id, order_id)`);
    await runner.query(`select protect_table('payments')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table payments, order_keys`);
  }
}
