import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { DEFAULT_TAKE, idBelow, NEWEST_FIRST, type Page, pageOf } from '../../platform/schema/pages/page.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { type ExplainedEntry, explanationOf } from './bonus-explanation.js';
import { isCustomerId, noSuchCustomer } from './customer-id.js';
import { LIST_BONUS_HISTORY } from './customer.statements.js';
import type { ListBonusHistoryInput } from './customers.dto.js';

type Row = RowOf<typeof LIST_BONUS_HISTORY>;
type EntryRow = Row & ExplainedEntry;

/** Lists the bonus ledger of one customer, with explanations for people (docs/behaviour.md §13.3). */
@Injectable()
export class BonusHistory {
  async list(
    ctx: StoreContext,
    { customerId, take = DEFAULT_TAKE, cursor }: ListBonusHistoryInput,
  ): Promise<Page<EntryRow & { explanation: string }>> {
    const values = { customerId, idBelow: idBelow(cursor), take: take + 1 };
    const rows = isCustomerId(customerId) ? await ctx.session.read(LIST_BONUS_HISTORY, values) : [];
    if (rows.length === 0) throw noSuchCustomer(customerId);
    const entries = rows
      .filter((row): row is EntryRow => row.id !== null)
      .map((row) => ({ ...row, explanation: explanationOf(row) }));
    return pageOf(entries, take, NEWEST_FIRST);
  }
}
