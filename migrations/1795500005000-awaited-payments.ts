import type { QueryRunner } from 'typeorm';

/** Orders that were placed before it are never cancelled as unpaid. */
export class AwaitedPayments1795500005000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table awaited_payments (
        store_id uuid not null references stores on delete cascade,
        order_id bigint not null,
        checked_at timestamptz(3),
        primary key (store_id, order_id),
        constraint awaited_payments_order foreign key (store_id, order_id) references orders on delete cascade
      )`);
    await runner.query(`select protect_table('awaited_payments')`);
  }
}
