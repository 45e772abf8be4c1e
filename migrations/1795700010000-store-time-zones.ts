import type { QueryRunner } from 'typeorm';

/** The time zone by which a store's days go. */
export class StoreTimeZones1795700010000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table stores add column time_zone text not null default 'UTC'`);
  }
}
