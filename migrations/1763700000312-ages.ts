import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './steps.js';

/** The definition of each index. If the time of a row may be null, the index leaves out rows without one. */
const INDEXES: Record<string, string> = {
  api_tokens_revoked: `api_tokens (revoked_at) where revoked_at is not null`,
  api_tokens_expired: `api_tokens (expires_at) where expires_at is not null`,
  visits_age: `visits (day)`,
  product_days_age: `product_days (day)`,
  campaigns_age: `campaigns (created_at)`,
  sessions_age: `sessions (created_at)`,
  invitations_age: `invitations (expires_at)`,
};

/** Indexes by age, with which old rows are found and deleted in small batches. */
export class Ages1763700000312 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndex(runner, name, on);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index ${Object.keys(INDEXES).join(', ')}`);
  }
}
