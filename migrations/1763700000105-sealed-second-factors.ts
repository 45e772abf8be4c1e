import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Renames a sealed column, because sealed columns are found by their names when keys are checked and rotated.
 */
export class SealedSecondFactors1763700000105 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table second_factors rename column secret to sealed_secret`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table second_factors rename column sealed_secret to secret`);
  }
}
