import type { QueryRunner } from 'typeorm';

/** When an order moved the stock or bonus of a record, and when people had changed it before. */
export class MovedVersions1795500006000 {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['products', 'variants', 'customers']) {
      await runner.query(
        `alter table ${table} add column moved_at timestamptz(3), add column edited_at timestamptz(3)`,
      );
    }
  }
}
