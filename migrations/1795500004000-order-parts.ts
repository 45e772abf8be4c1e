import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

/** What an order's total is made of, as numbers: shares of lines, refunds, and the terms of its cashback. */
export class OrderParts1795500004000 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table orders add column cashback_terms json');
    await runner.query('alter table order_items add column discount bigint, add column bonus bigint');
    await runner.query(`create table order_refunds (
      store_id uuid not null references stores on delete cascade,
      id uuid not null,
      order_id bigint not null,
      amount bigint check (amount >= 0),
      reason text,
      refunded_by text not null,
      refunded_at timestamptz(3) not null,
      primary key (store_id, id),
      constraint order_refunds_order foreign key (store_id, order_id) references orders on delete cascade
    )`);
    await runner.query('create index order_refunds_of_order on order_refunds (store_id, order_id)');
    await runner.query(`select protect_table('order_refunds')`);
  }
}
