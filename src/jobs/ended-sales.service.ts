import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { type StoreContext, StoreDatabase } from '../platform/store/store-context.js';
import { restAfter } from '../platform/timers.js';
import { StoreByStore } from './store-by-store.js';
import { auditChange, SYSTEM } from './system-actor.js';
import { statement, systemStatement } from '../platform/database/statement.js';
import { versionAfter } from '../platform/store/version.js';

const ended = (table: string) => `select r.store_id from ${table} r where r.sale_until <= $now::timestamptz`;

/** Stores with sales whose end has come. `$leftOut` are those that are left to the next run. */
const LIST_STORES_WITH_ENDED = systemStatement(
  'list_stores_with_ended_sales',
  `select s.id as "storeId", s.currency from stores s
   where s.id in (${ended('products')} union ${ended('variants')})
     and s.read_only_since is null and s.id <> all ($leftOut::uuid[])`,
);

/** The products whose own sale has ended, or that of a variant, locked as by orders: first products by id. */
const LOCK_WITH_ENDED = statement(
  'lock_products_with_ended_sales',
  `select p.id from products p where p.store_id = $store and p.id in (
     select o.id from products o where o.store_id = $store and o.sale_until <= $now
     union
     select v.product_id from variants v where v.store_id = $store and v.sale_until <= $now
   ) order by p.id limit $take for update of p`,
);

/** What ends of the locked products. Whoever changes a variant has its product locked. */
const endOf = (table: string, productId: string) => `ended_${table} as (
    update ${table} r set sale_price = null, sale_until = null,
      updated_at = ${versionAfter('r.updated_at', '$now')}
    from (
      select e.id, e.sale_price, e.sale_until from ${table} e
      where e.store_id = $store and e.${productId} = any($ids::uuid[]) and e.sale_until <= $now
    ) e where r.store_id = $store and r.id = e.id
    returning r.id, r.${productId} as product_id, e.sale_price, e.sale_until
  )`;

/** A product gets a new version with its variants, too. */
const END_SALES = statement(
  'end_sales',
  `with ${endOf('variants', 'product_id')}, ${endOf('products', 'id')}, touched as (
     update products p set updated_at = ${versionAfter('p.updated_at', '$now')}
     where p.store_id = $store and p.id in (select v.product_id from ended_variants v)
       and p.id not in (select o.id from ended_products o)
   )
   select 'product' as "kind!", o.id as "id!", o.sale_price as "salePrice!", o.sale_until as "saleUntil!"
   from ended_products o
   union all
   select 'variant', v.id, v.sale_price, v.sale_until from ended_variants v`,
);

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
