import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each index is of. Most rows tell what a token did to an order: none of these holds one of them. */
const INDEXES: Record<string, string> = {
  audit_log_of_people: `(store_id, actor_id, id) where actor_kind = 'user'`,
  audit_log_of_targets: `(store_id, target) where target not like 'order:%'`,
  audit_log_of_kinds: `(store_id, split_part(target, ':', 1), id) where target not like 'order:%'`,
  audit_log_refused: `(store_id, id) where outcome = 'forbidden'`,
};

/** The audit log is looked through by person, by record, by kind of record and for refusals. */
export class AuditFilters1763700000270 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, of] of Object.entries(INDEXES)) {
      await runner.query(`drop index if exists ${name}`);
      await runner.query(`create index concurrently ${name} on audit_log ${of}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index ${Object.keys(INDEXES).join(', ')}`);
  }
}
