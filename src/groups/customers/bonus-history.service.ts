import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/database/statement.js';
import { notFound } from '../../platform/errors.js';
import { DEFAULT_TAKE, idBelow, NEWEST_FIRST, type Page, pageOf } from '../../platform/schema/page.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { type ExplainedEntry, explanationOf } from './bonus-explanation.js';
import { isCustomerId } from './customer-id.js';
import type { BonusEntryRecord, ListBonusHistoryInput } from './customers.dto.js';

/** $2 customer, $3 the entry to stay below, $4 how many. A customer without entries gives one row whose id is null. */
const LIST_BONUS_HISTORY = statement(
  'list_bonus_history',
  `select e.*, case when e.kind = 'cashback_reversal' then (
     select sum(f.delta) from bonus_entries f where f.store_id = $1 and f.order_id = e."orderId"::bigint and f.id < e.id
       and f.kind in ('cashback', 'cashback_reversal', 'cashback_return')) end as earned
   from customers c left join lateral (
     select b.id, b.delta, b.balance_after as balance, b.kind, b.order_id::text as "orderId", b.reason, b.actor_name as "by", b.rules,
       b.created_at as "createdAt"
     from bonus_entries b where b.store_id = c.store_id and b.customer_id = c.id and b.id < $3::uuid order by b.id desc limit $4
   ) e on true where c.store_id = $1 and c.id = $2 order by e.id desc`,
);

type EntryRow = ExplainedEntry & { id: string | null } & Record<string, unknown>;

/** The ledger of one customer, for people (docs/behaviour.md §13.3). */
@Injectable()
export class BonusHistory {
  async list(
    ctx: StoreContext,
    { customerId, take = DEFAULT_TAKE, cursor }: ListBonusHistoryInput,
  ): Promise<Page<BonusEntryRecord>> {
    const values = [customerId, idBelow(cursor), take + 1];
    const rows = isCustomerId(customerId) ? await ctx.session.read<EntryRow>(LIST_BONUS_HISTORY, ...values) : [];
    if (rows.length === 0) throw notFound('Customer', customerId);
    const entries = rows.filter(({ id }) => id !== null).map((row) => ({ ...row, explanation: explanationOf(row) }));
    return pageOf(entries as unknown as BonusEntryRecord[], take, NEWEST_FIRST);
  }
}
