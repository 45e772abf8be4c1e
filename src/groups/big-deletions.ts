import type { CountedChange } from '../platform/call/previews/counted.js';
import type { Statement } from '../platform/database/statement.js';
import type { RecordRow } from '../platform/database/store-row.entity.js';
import { invalidInput } from '../platform/errors.js';
import { isUuid } from '../platform/schema/formats.js';
import type { IdInput } from '../platform/schema/pages/page.dto.js';
import { deletion } from '../platform/store/audit.js';
import { getRecord, type RecordKind, targetOf } from '../platform/store/records.js';
import type { StoreContext } from '../platform/store/store-context.js';

/** The most products that lose a deleted brand or category in one transaction. */
export const DELETION_BOUNDS = { products: 150_000 };

/** More records than this are counted in a preview: locks of so many would hold up others. */
const MOST_TRIED = 2_000;
/** Of how many of them a preview knows that they are the same when it is applied. */
export const FIRST = 20;

type Links = Statement<{
  parameters: { id: string };
  row: { products: number; categories: number; first: string[] };
}>;

/**
 * What a deletion would do in a preview, if more records lose their link to the record than are tried.
 * @param links counts them, and names the first
 */
export const countsLinks =
  <Row extends RecordRow>(kind: RecordKind<Row>, name: 'brand' | 'category', links: Links) =>
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
export function requireFewProducts(kind: 'brand' | 'category', count: number): void {
  const { products: most } = DELETION_BOUNDS;
  if (count > most)
    throw invalidInput(
      `id is that of a ${kind} with ${count} products, and at most ${most} can lose it at once: ` +
        'take it off the others with update_products first',
    ).about('products_most', { count, most });
}
