import type { QueryRunner } from 'typeorm';

/** Why and since when a store is suspended. */
export class Suspension1795700030000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table stores add column suspended_at timestamptz(3), add column suspended_reason text',
    );
    await runner.query(
      `alter table stores add constraint stores_suspension
       check ((suspended_at is null) = (suspended_reason is null)) not valid`,
    );
    await runner.query('alter table stores validate constraint stores_suspension');
  }
}
