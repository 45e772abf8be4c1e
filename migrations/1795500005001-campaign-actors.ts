import type { QueryRunner } from 'typeorm';

/** Who began a campaign, so that the same call of theirs goes on with it. Unknown for earlier campaigns. */
export class CampaignActors1795500005001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table campaigns add column actor text');
  }
}
