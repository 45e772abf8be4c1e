import type { QueryRunner } from 'typeorm';

/** What an app may give out in a day, and what it gave out. */
export class DailyLimits1795700060001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table oauth_grants add column daily_limits jsonb, add column daily_spent jsonb`,
    );
  }
}
