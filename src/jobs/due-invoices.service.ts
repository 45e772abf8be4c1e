import { Injectable } from '@nestjs/common';
import { Invoices } from '../groups/billing/invoices.service.js';
import { Clock, DAY_MS } from '../platform/clock.js';
import { systemStatement } from '../platform/database/statement.js';
import { SystemDatabase } from '../platform/database/system.js';
import { StoreDatabase } from '../platform/store/store-context.js';
import { restAfter } from '../platform/timers.js';
import { StoreByStore } from './store-by-store.js';
import { auditChange, SYSTEM } from './system-actor.js';

/** The days of the shortest period. */
const SHORTEST_PERIOD_MS = 28 * DAY_MS;

/** Stores with a period that may have ended since their last invoice. */
const LIST_INVOICED_BEFORE = systemStatement(
  'list_invoiced_before',
  `select s.id, s.currency from stores s left join subscriptions u on u.store_id = s.id
   left join lateral (select max(i.period_end) as ended from invoices i where i.store_id = s.id) i on true
   where s.read_only_since is null
     and coalesce(i.ended, date_trunc('day', coalesce(u.started_at, s.created_at), 'UTC')) <= $before
   order by s.id`,
);

/** Issues the invoices of periods that are over (docs/behaviour.md §6.16). */
@Injectable()
export class DueInvoices {
  constructor(
    private readonly system: SystemDatabase,
    private readonly database: StoreDatabase,
    private readonly invoices: Invoices,
    private readonly clock: Clock,
  ) {}

  /** Each invoice in a transaction of its own, with a rest after each store. */
  async issue(stop?: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - SHORTEST_PERIOD_MS);
    const stores = new StoreByStore();
    for (const { id, currency } of await this.system.query(LIST_INVOICED_BEFORE, { before })) {
      if (stop?.aborted) return;
      const began = performance.now();
      await stores.work(id, () => this.issueOf({ storeId: id, currency, actor: SYSTEM }, stop));
      await restAfter(began);
    }
    stores.end();
  }

  private async issueOf(
    principal: Parameters<StoreDatabase['inStore']>[0],
    stop: AbortSignal | undefined,
  ): Promise<void> {
    for (const period of await this.database.inStore(principal, (ctx) => this.invoices.due(ctx))) {
      if (stop?.aborted) return;
      await this.database.inStore(principal, async (ctx) => {
        await this.invoices.issue(ctx, period);
        auditChange(ctx, 'billing.issue', { period });
      });
    }
  }
}
