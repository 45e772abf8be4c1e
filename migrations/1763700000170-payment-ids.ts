import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments get an id that increases with time, by which they are listed newest first, as all records are
 * (docs/behaviour.md §4.1). Existing payments get an id for the time at which they were received: the first
 * 48 bits of a version 7 UUID are milliseconds.
 */
export class PaymentIds1763700000170 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table payments add column id uuid`);
    // The owner of the table can see rows only while row-level security is not forced.
    await runner.query(`alter table payments no force row level security`);
    await runner.query(`
      update payments set id = encode(set_bit(set_bit(
        overlay(uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from received_at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`);
    await runner.query(`alter table payments force row level security`);
    await runner.query(`alter table payments alter column id set not null`);
    await runner.query(`create unique index payments_by_id on payments (store_id, id)`);
    // Existing bots were registered without shipping queries. They are registered again when these are first
    // needed.
    await runner.query(`alter table bots add column takes_shipping_queries boolean not null default false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table bots drop column takes_shipping_queries`);
    await runner.query(`alter table payments drop column id`);
  }
}
