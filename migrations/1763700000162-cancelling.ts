import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = `'adjustment', 'cashback', 'referral_join', 'referral_order', 'spend', 'refund'`;

/**
 * Allows the ledger entries for taking back cashback when an order is cancelled, and returning it when the
 * order leaves CANCELLED. Existing rows need no check.
 */
export class Cancelling1763700000162 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.replaceCheck(runner, `${BEFORE}, 'cashback_reversal', 'cashback_return'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.replaceCheck(runner, BEFORE);
  }

  private async replaceCheck(runner: QueryRunner, kinds: string): Promise<void> {
    await runner.query(`
      alter table bonus_entries drop constraint bonus_entries_kind_check,
        add constraint bonus_entries_kind_check check (kind in (${kinds})) not valid`);
  }
}
