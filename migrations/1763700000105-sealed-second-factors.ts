import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is sealed says so by its name: keys are looked for, and rotated, by it. */
export class SealedSecondFactors1763700000105 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table second_factors rename column secret to sealed_secret`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table second_factors rename column sealed_secret to secret`);
  }
}
