import type { CountedChange } from '../platform/call/previews/counted.js';
import { DELETION_LIMIT_MS } from '../platform/database/connections/connection.js';
import { type Statement, statement } from '../platform/database/statement.js';
import type { RecordRow } from '../platform/database/store-row.entity.js';
import { invalidInput } from '../platform/errors.js';
import { isUuid } from '../platform/schema/formats.js';
import type { IdInput } from '../platform/schema/pages/page.dto.js';
import { deletion } from '../platform/store/audit.js';
import { getRecord, type RecordKind, targetOf } from '../platform/store/records.js';
import type { StoreContext } from '../platform/store/store-context.js';
import { versionAfter } from '../platform/store/version.js';

/** The most products that lose a deleted brand or category in one transaction. */
export const DELETION_BOUNDS = { products: 150_000 };

/** More records than this are counted in a preview: locks of so many would hold up others. */
const MOST_TRIED = 2_000;
/** Of how many of them a preview knows that they are the same when it is applied. */
export const FIRST = 20;

type Linked = 'brand' | 'category';

function statementsFor(kind: Linked) {
  const linked = `p.store_id = $store and p.${kind}_id = $id`;
  return {
    count: statement(
      `count_products_of_${kind}`,
      `select count(*)::int as "count!" from products p where ${linked}`,
    ),
    /** In the same order as carts, so that they cannot deadlock (docs/behaviour.md §6.6). */
    lock: statement(
      `lock_products_of_${kind}`,
      `select from products p where ${linked} order by p.id for update`,
    ),
    /** The products must already be locked. Sorting many ids here would keep the event loop. */
    unlink: statement(
      `remove_${kind}_from_products`,
      `with removed as (
         update products p set ${kind}_id = null, updated_at = ${versionAfter('p.updated_at', '$now')}
         where ${linked} returning p.id
       )
       select r.id from removed r order by r.id`,
    ),
  };
}
const PRODUCTS_OF = { brand: statementsFor('brand'), category: statementsFor('category') };

/**
 * Locks the products of a brand or category that is to be deleted, and gives the transaction its time.
 * @throws OperationError invalid_input for more than can lose it at once
 */
export async function lockProductsOf(ctx: StoreContext, kind: Linked, id: string): Promise<void> {
  await ctx.session.allow(DELETION_LIMIT_MS);
  if (!isUuid(id)) return;
  const [{ count }] = await ctx.session.query(PRODUCTS_OF[kind].count, { id });
  requireFewProducts(kind, count);
  ctx.session.enqueue(PRODUCTS_OF[kind].lock, { id });
}

/** Takes it from its products, by a change of each, so that readers of changes see it. @returns their ids */
export async function unlinkProducts(ctx: StoreContext, kind: Linked, id: string): Promise<string[]> {
  const products = await ctx.session.query(PRODUCTS_OF[kind].unlink, { id, now: ctx.now() });
  return products.map((product) => product.id);
}

type Links = Statement<{
  parameters: { id: string };
  row: { products: number; categories: number; first: string[] };
}>;

/**
 * What a deletion would do in a preview, if more records lose their link to the record than are tried.
 * @param links counts them, and names the first
 */
export const countsLinks =
  <Row extends RecordRow>(kind: RecordKind<Row>, name: Linked, links: Links) =>
  async (ctx: StoreContext, { id }: IdInput): Promise<CountedChange | null> => {
    const [found] = isUuid(id) ? await ctx.session.read(links, { id }) : [];
    if (!found || found.products + found.categories <= MOST_TRIED) return null;
    const { first, products, categories } = found;
    requireFewProducts(name, products);
    const row = await getRecord(ctx, kind, id);
    return {
      count: products + categories,
      answer: { id: row.id, deleted: true },
      target: targetOf(kind, row.id),
      changes: deletion(kind.output, row),
      unlinked: { products, ...(categories > 0 && { categories }) },
      first,
    };
  };

/** @throws OperationError invalid_input that says how to delete it all the same */
function requireFewProducts(kind: Linked, count: number): void {
  const { products: most } = DELETION_BOUNDS;
  if (count > most)
    throw invalidInput(
      `id is that of a ${kind} with ${count} products, and at most ${most} can lose it at once: ` +
        'take it off the others with update_products first',
    ).about('products_most', { count, most });
}
