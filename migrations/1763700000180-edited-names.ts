import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A name that the messenger does not tell any more is removed, but not one that the shop itself has given: these are remembered
 * from here on, by the fields of update_customer.
 */
export class EditedNames1763700000180 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table customers add column edited_names text[] not null default '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table customers drop column edited_names`);
  }
}
