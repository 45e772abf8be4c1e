import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments are listed newest first by an id that rises with time, as all records are (docs/behaviour.md §4.1). Payments that are
 * there get the id of the time they were received at: the first 48 bits of a UUID version 7 are milliseconds.
 */
export class PaymentIds1763700000170 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table payments add column id uuid`);
    // The owner sees rows only while row-level security is not forced on it.
    await runner.query(`alter table payments no force row level security`);
    await runner.query(`
      update payments set id = encode(set_bit(set_bit(
        overlay(uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from received_at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`);
    await runner.query(`alter table payments force row level security`);
    await runner.query(`alter table payments alter column id set not null`);
    await runner.query(`create unique index payments_by_id on payments (store_id, id)`);
    // Bots that were connected before the messenger was asked for shipping queries are registered again when one is needed.
    await runner.query(`alter table bots add column takes_shipping_queries boolean not null default false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table bots drop column takes_shipping_queries`);
    await runner.query(`alter table payments drop column id`);
  }
}
