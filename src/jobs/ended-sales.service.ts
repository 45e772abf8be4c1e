import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { type StoreContext, StoreDatabase } from '../platform/store/store-context.js';
import { restAfter } from '../platform/timers.js';
import { END_SALES, LIST_STORES_WITH_ENDED, LOCK_WITH_ENDED } from './ended-sales.statements.js';
import { StoreByStore } from './store-by-store.js';
import { auditChange, SYSTEM } from './system-actor.js';

/** How many products one transaction changes. */
const BATCH = 200;

/**
 * Writes the end of sales whose time has come, as changes of the products. Nobody is charged or shown such a
 * sale from its end on (docs/behaviour.md §13.4); by this, list_changes and the audit log tell of it.
 */
@Injectable()
export class EndedSales {
  constructor(
    private readonly system: SystemDatabase,
    private readonly database: StoreDatabase,
    private readonly clock: Clock,
  ) {}

  async end(stop?: AbortSignal): Promise<void> {
    const stores = new StoreByStore();
    const wanted = { now: this.clock.now(), leftOut: stores.left };
    for (const { storeId, currency } of await this.system.query(LIST_STORES_WITH_ENDED, wanted)) {
      const principal = { storeId, currency, actor: SYSTEM };
      await stores.work(storeId, async () => {
        for (let found = BATCH; found === BATCH && !stop?.aborted;) {
          const began = performance.now();
          found = await this.database.inStore(principal, endSome);
          await restAfter(began);
        }
      });
    }
    stores.end();
  }
}

/** @returns how many products it found */
async function endSome(ctx: StoreContext): Promise<number> {
  const now = ctx.now();
  const products = await ctx.session.query(LOCK_WITH_ENDED, { now, take: BATCH });
  const ids = products.map(({ id }) => id);
  const ended = ids.length === 0 ? [] : await ctx.session.query(END_SALES, { ids, now });
  if (ended.length === 0) return products.length;
  ctx.audit.changes = Object.fromEntries(
    ended.flatMap(({ kind, id, salePrice, saleUntil }): [string, [unknown, unknown]][] => [
      [`${kind}:${id}.salePrice`, [Number(salePrice), null]],
      [`${kind}:${id}.saleUntil`, [saleUntil.toISOString(), null]],
    ]),
  );
  auditChange(ctx, 'product.end_sale', {});
  return products.length;
}
