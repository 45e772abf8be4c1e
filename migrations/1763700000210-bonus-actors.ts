import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The actor of a change of bonus. It is null in earlier entries, for which it is not known. */
export class BonusActors1763700000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table bonus_entries add column actor_name text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table bonus_entries drop column actor_name`);
  }
}
