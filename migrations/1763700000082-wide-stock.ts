import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Makes stock and the sort order of variants wide enough for every integer that JSON can represent exactly.
 */
export class WideStock1763700000082 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.retype(runner, 'bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.retype(runner, 'integer');
  }

  private async retype(runner: QueryRunner, type: 'bigint' | 'integer'): Promise<void> {
    await runner.query(`alter table products alter column item_amount type ${type}`);
    await runner.query(
      `alter table variants alter column item_amount type ${type}, alter column sort_order type ${type}`,
    );
  }
}
