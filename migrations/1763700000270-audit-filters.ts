import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The definition of each index. None of them includes the rows of tokens about orders, which are most of the
 * log.
 */
const INDEXES: Record<string, string> = {
  audit_log_of_people: `(store_id, actor_id, id) where actor_kind = 'user'`,
  audit_log_of_targets: `(store_id, target) where target not like 'order:%'`,
  audit_log_of_kinds: `(store_id, split_part(target, ':', 1), id) where target not like 'order:%'`,
  audit_log_refused: `(store_id, id) where outcome = 'forbidden'`,
};

/** Indexes for filtering the audit log by person, record, kind of record and refusals. */
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
