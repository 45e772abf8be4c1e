import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payment providers. The token and the metadata are sealed. The parts that callers may see (the last
 * characters, and the metadata with masked secrets) are stored separately, so that secrets are not opened to
 * read a provider.
 */
export class PaymentProviders1763700000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table payment_providers (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        provider_name text not null,
        sealed_token text,
        token_hint text,
        is_test_mode boolean not null,
        is_active boolean not null,
        supported_currencies text[] not null check (cardinality(supported_currencies) > 0),
        metadata json,
        sealed_metadata text,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    await runner.query(`select protect_table('payment_providers')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table payment_providers`);
  }
}
