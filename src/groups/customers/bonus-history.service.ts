import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/errors.js';
import { DEFAULT_TAKE, idBelow, NEWEST_FIRST, type Page, pageOf } from '../../platform/schema/pages/page.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { type ExplainedEntry, explanationOf } from './bonus-explanation.js';
import { isCustomerId } from './customer-id.js';
import { LIST_BONUS_HISTORY } from './customer.statements.js';
import type { BonusEntryRecord, ListBonusHistoryInput } from './customers.dto.js';

type EntryRow = ExplainedEntry & { id: string | null } & Record<string, unknown>;

/** Lists the bonus ledger of one customer, with explanations for people (docs/behaviour.md §13.3). */
@Injectable()
export class BonusHistory {
  async list(
    ctx: StoreContext,
    { customerId, take = DEFAULT_TAKE, cursor }: ListBonusHistoryInput,
  ): Promise<Page<BonusEntryRecord>> {
    const values = [customerId, idBelow(cursor), take + 1];
    const rows = isCustomerId(customerId)
      ? await ctx.session.read<EntryRow>(LIST_BONUS_HISTORY, ...values)
      : [];
    if (rows.length === 0) throw notFound('Customer', customerId);
    const entries = rows
      .filter(({ id }) => id !== null)
      .map((row) => ({ ...row, explanation: explanationOf(row) }));
    return pageOf(entries as unknown as BonusEntryRecord[], take, NEWEST_FIRST);
  }
}
