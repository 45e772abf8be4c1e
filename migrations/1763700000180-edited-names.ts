import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Records which names the shop has changed with update_customer. These are kept, while other names are
 * removed when the messenger no longer sends them.
 */
export class EditedNames1763700000180 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table customers add column edited_names text[] not null default '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table customers drop column edited_names`);
  }
}
