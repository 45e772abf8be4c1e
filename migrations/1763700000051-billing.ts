import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The subscription of a store to the service: its state, all changes of plan, and one invoice for each
 * period.
 */
export class Billing1763700000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The plan itself is stores.plan. A store without a row has been active since it was created.
    await runner.query(`
      create table subscriptions (
        store_id uuid primary key references stores on delete cascade,
        status text not null default 'active' check (status in ('active', 'past_due', 'canceled')),
        started_at timestamptz(3) not null,
        cancel_at_period_end boolean not null default false,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    await runner.query(`select protect_table('subscriptions')`);
    await runner.query(`
      create table plan_changes (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        from_plan text not null,
        to_plan text not null,
        changed_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    await runner.query(`select protect_table('plan_changes')`);
    await runner.query(`
      create table invoices (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        number text not null,
        status text not null check (status in ('open', 'paid', 'void')),
        amount numeric not null check (amount >= 0),
        currency text not null,
        period_start timestamptz(3) not null,
        period_end timestamptz(3) not null check (period_end > period_start),
        issued_at timestamptz(3) not null,
        paid_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint invoices_period_key unique (store_id, period_start),
        constraint invoices_number_key unique (store_id, number)
      )`);
    await runner.query(`select protect_table('invoices')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table invoices, plan_changes, subscriptions`);
  }
}
