import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { invalidInput } from '../../platform/errors.js';
import { isUuid } from '../../platform/schema/formats.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { nextVersion } from '../../platform/store/version.js';
import type { ReorderCategoriesInput, ReorderedCategories } from './categories.dto.js';
import { lockTree } from './category-tree.js';
import { LOCK_SIBLINGS, SET_SORT_ORDERS } from './category.statements.js';

type Row = RowOf<typeof LOCK_SIBLINGS>;

/** Leaves room between two neighbours for a category that update_category puts there. */
const STEP = 10;

/** Changes the order of the categories under one parent. */
@Injectable()
export class CategoryOrder {
  /** @throws OperationError invalid_input unless `ids` contains all categories under one parent, each once */
  async reorder(ctx: StoreContext, { ids }: ReorderCategoriesInput): Promise<ReorderedCategories> {
    await lockTree(ctx);
    const rows = isUuid(ids[0]) ? await ctx.session.query(LOCK_SIBLINGS, { id: ids[0] }) : [];
    const ordered = inOrder(ids, rows);
    const changes = ordered.flatMap((row, i) =>
      row.sortOrder === (i + 1) * STEP ? [] : [{ row, before: row.sortOrder }],
    );
    for (const [i, row] of ordered.entries()) row.sortOrder = (i + 1) * STEP;
    for (const { row } of changes) row.updatedAt = nextVersion(ctx, row.updatedAt);
    const changed = changes.map(({ row }) => row);
    ctx.session.enqueue(SET_SORT_ORDERS, {
      ids: changed.map(({ id }) => id),
      sortOrders: changed.map(({ sortOrder }) => sortOrder),
      versions: changed.map(({ updatedAt }) => updatedAt),
    });
    const { parentId } = ordered[0];
    if (parentId !== null) ctx.audit.target = `category:${parentId}`;
    ctx.audit.changes = Object.fromEntries(
      changes.map(({ row, before }) => [`category:${row.id}.sortOrder`, [before, row.sortOrder]]),
    );
    return { parentId, updated: changed.length, items: ordered };
  }
}

/**
 * Returns the siblings in the order of `ids`. @throws OperationError invalid_input naming the first id that
 * is wrong
 */
function inOrder(ids: string[], siblings: Row[]): Row[] {
  const left = new Map(siblings.map((row) => [row.id, row]));
  const ordered = ids.map((text, i) => {
    const id = text.toLowerCase();
    const row = left.get(id);
    left.delete(id);
    if (row) return row;
    const first = ids.findIndex((other) => other.toLowerCase() === id);
    if (first < i)
      throw invalidInput(`ids[${i}] is the same category as ids[${first}]`).about('named_twice', {
        path: `ids[${i}]`,
      });
    throw invalidInput(
      `ids[${i}] is not a category of this store${i === 0 ? '' : ' under the parent of ids[0]'}`,
    ).about('gone', { path: `ids[${i}]` });
  });
  const [missing] = left.values();
  if (missing) {
    throw invalidInput(
      `ids must name all ${siblings.length} categories under one parent: ` +
        `${missing.name.slice(0, 100).toWellFormed()} (${missing.id}) is missing`,
    ).about('changed_meanwhile');
  }
  return ordered;
}
