import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sealed settings of payment buttons, which are masked in `fields`. Existing settings are marked, and
 * sealed by the service when it starts, because only the service has the key.
 */
export class CheckoutSecrets1763700000121 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table checkout_configurations add column sealed_secrets text,
      add column is_unsealed boolean not null default false`);
    await runner.query(`alter table checkout_configurations no force row level security`);
    await runner.query(
      `update checkout_configurations set is_unsealed = true where fields::text like '%payment_button%'`,
    );
    await runner.query(`alter table checkout_configurations force row level security`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table checkout_configurations drop column sealed_secrets, drop column is_unsealed`,
    );
  }
}
