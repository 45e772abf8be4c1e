import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';
import { createIndex } from './steps.js';

/** What customers owe, and the kinds of ledger rows that conserve bonus (docs/behaviour.md §6.5). */
export class BonusDebts1795500003000 implements Step {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table customers add column if not exists bonus_owed numeric(20,2) not null default 0`);
    await runner.query(`
      alter table customers drop constraint if exists customers_bonus_owed_check,
        add constraint customers_bonus_owed_check check (bonus_owed >= 0) not valid`);
    await runner.query(`alter table customers validate constraint customers_bonus_owed_check`);
    await runner.query(`
      alter table bonus_entries drop constraint if exists bonus_entries_kind_check,
        add constraint bonus_entries_kind_check check (kind in ('adjustment', 'cashback', 'referral_join',
          'referral_order', 'spend', 'refund', 'cashback_reversal', 'cashback_return', 'cashback_correction',
          'referral_reversal', 'referral_return', 'debt', 'debt_settled')) not valid`);
    await runner.query(`alter table bonus_entries validate constraint bonus_entries_kind_check`);
    await createIndex(
      runner,
      'bonus_entries_of_referral',
      'bonus_entries (store_id, referred_id) where referred_id is not null',
    );
    await runner.query(`drop index concurrently if exists bonus_entries_of_referred`);
  }
}
