import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose call moved the bonus. Null in entries from before, where it is not known. */
export class BonusActors1763700000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table bonus_entries add column actor_name text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table bonus_entries drop column actor_name`);
  }
}
