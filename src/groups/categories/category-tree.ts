import { isUuid } from '../../platform/schema/formats.js';
import { invalidInput, type OperationError } from '../../platform/errors.js';
import { gone } from '../../platform/problems.js';
import { otherName } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Category } from './category.entity.js';
import { LOCK_TREE, PATH_TO_ROOT } from './category.statements.js';

export const NO_SUCH_PARENT = gone('parentId', 'category');

/** The error also names the category's id if the caller gave its slug. */
export async function noSuchParent(ctx: StoreContext, parentId: string): Promise<OperationError> {
  return invalidInput(
    `${NO_SUCH_PARENT.text}${await otherName(ctx, { entity: Category, alsoNamedBy: 'slug' }, parentId)}`,
  ).about('gone', { path: 'parentId' });
}

/**
 * Makes this transaction the only one that may move categories of the store. Two moves that are valid by
 * themselves could together form a circle, which no constraint detects. It must run before the transaction
 * locks a category: a transaction that waits here must not hold a row that the foreign key check of the other
 * one needs.
 */
export async function lockTree(ctx: StoreContext): Promise<void> {
  await ctx.session.query(LOCK_TREE);
}

/**
 * Checks a new parent. It needs the lock, and is a separate statement after it, so that it sees what the
 * previous mover committed.
 * @returns the parent's id as it is stored
 * @throws OperationError invalid_input if there is no such parent, or if it is the category itself or one
 * below it
 */
export async function checkedParent(
  ctx: StoreContext,
  categoryId: string,
  parentId: string,
): Promise<string> {
  const path = isUuid(parentId) ? await ctx.session.query(PATH_TO_ROOT, { id: parentId }) : [];
  if (path.length === 0) throw await noSuchParent(ctx, parentId);
  if (path.some(({ id }) => id === categoryId))
    throw invalidInput('parentId must be neither the category itself nor one below it').about('own_parent', {
      path: 'parentId',
    });
  return path[0].id;
}
