import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * All changes of customers' bonus. customers.bonus_balance is the sum of a customer's rows (docs/behaviour.md
 * §6.5).
 */
export class BonusLedger1763700000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table bonus_entries (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        customer_id bigint not null,
        delta numeric(20, 2) not null check (delta <> 0),
        balance_after numeric(20, 2) not null check (balance_after >= 0),
        kind text not null check (kind in ('adjustment', 'cashback', 'referral_join', 'referral_order', 'spend', 'refund')),
        reason text,
        order_id bigint,
        referred_id bigint,
        rules json,
        created_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint bonus_entries_customer foreign key (store_id, customer_id) references customers (store_id, id),
        constraint bonus_entries_order foreign key (store_id, order_id) references orders (store_id, id) on delete set null (order_id)
      )`);
    // Each rule rewards an order only once, even if its status changes back and forth (docs/behaviour.md
    // §6.3, §6.4).
    await runner.query(`
      create unique index bonus_entries_award_key on bonus_entries (store_id, order_id, kind)
      where kind in ('cashback', 'referral_order')`);
    await runner.query(
      `create index bonus_entries_of_customer on bonus_entries (store_id, customer_id, id desc)`,
    );
    await runner.query(
      `create index bonus_entries_of_order on bonus_entries (store_id, order_id) where order_id is not null`,
    );
    await runner.query(
      `create index bonus_entries_of_referred on bonus_entries (store_id, referred_id) where kind = 'referral_order'`,
    );
    await runner.query(`select protect_table('bonus_entries')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table bonus_entries`);
  }
}
