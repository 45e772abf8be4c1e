import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import {
  decodeCursor,
  DEFAULT_TAKE,
  type Order,
  type Page,
  pageOf,
} from '../../platform/schema/pages/page.js';
import { isUuid } from '../../platform/schema/formats.js';
import { explainConstraints, invalidInput } from '../../platform/errors.js';
import { gone, used } from '../../platform/problems.js';
import {
  changeRecord,
  createRecord,
  deleteRecord,
  getRecord,
  otherName,
} from '../../platform/store/records.js';
import type { Deleted } from '../../platform/schema/pages/page.dto.js';
import { clearedWarning, withWarnings } from '../../platform/schema/warnings.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { lockProductsOf, unlinkProducts } from '../big-deletions.js';
import { onSaleWarning, onSaleWithin, renameWarning } from '../places.js';
import {
  CategoryRecord,
  type CreateCategoryInput,
  type ListCategoriesInput,
  type UpdateCategoryInput,
} from './categories.dto.js';
import { checkedParent, lockTree, NO_SUCH_PARENT, noSuchParent } from './category-tree.js';
import { Category } from './category.entity.js';
import {
  LIST_CATEGORIES,
  LIST_CHILD_CATEGORIES,
  LIST_ROOT_CATEGORIES,
  LOCK_CHILDREN,
  RELEASE_CHILDREN,
} from './category.statements.js';

type CategoryRow = RowOf<typeof LIST_CATEGORIES>;

explainConstraints({
  categories_slug_key: used('slug', 'category of this store'),
  categories_parent: NO_SUCH_PARENT,
  products_category: gone('categoryId', 'category'),
});

export const CATEGORY = {
  entity: Category,
  name: 'Category',
  output: CategoryRecord,
  alsoNamedBy: 'slug' as const,
  isRestorable: true as const,
};

/** The order of the list (docs/behaviour.md §3). */
const SORTED_THEN_NEWEST: Order = [
  { property: 'sortOrder', direction: 'ASC' },
  { property: 'id', direction: 'DESC' },
];

/** A position before all categories: its sort order is lower than any that a category can have. */
const BEFORE_ALL = [-(2 ** 53), '00000000-0000-0000-0000-000000000000'];

@Injectable()
export class CategoriesService {
  async list(
    ctx: StoreContext,
    { take = DEFAULT_TAKE, cursor, parentId }: ListCategoriesInput,
  ): Promise<Page<CategoryRow>> {
    const [afterSortOrder, afterId] =
      cursor === undefined ? BEFORE_ALL : decodeCursor(cursor, SORTED_THEN_NEWEST);
    const range = { afterSortOrder, afterId: String(afterId), take: take + 1 };
    let rows: CategoryRow[] = [];
    if (parentId === undefined) rows = await ctx.session.read(LIST_CATEGORIES, range);
    else if (parentId === null) rows = await ctx.session.read(LIST_ROOT_CATEGORIES, range);
    else if (!isUuid(parentId)) await refuseSlug(ctx, parentId);
    else rows = await ctx.session.read(LIST_CHILD_CATEGORIES, { ...range, parentId });
    return pageOf(rows, take, SORTED_THEN_NEWEST);
  }

  get(ctx: StoreContext, id: string): Promise<Category> {
    return getRecord(ctx, CATEGORY, id);
  }

  /**
   * A new category has no children, so it cannot close a circle, and its foreign key is the only check it
   * needs.
   */
  async create(ctx: StoreContext, input: CreateCategoryInput): Promise<Category> {
    if (input.parentId !== undefined && !isUuid(input.parentId))
      throw await noSuchParent(ctx, input.parentId);
    return createRecord(ctx, CATEGORY, input, { sortOrder: 0, isActive: true, ...input });
  }

  async update(ctx: StoreContext, { id, ...values }: UpdateCategoryInput) {
    const { parentId, isActive } = values;
    if (typeof parentId === 'string') await lockTree(ctx);
    const mayMove = parentId !== undefined || isActive !== undefined;
    let onSale = 0;
    const category = await changeRecord(ctx, CATEGORY, id, async (before) => {
      if (mayMove) onSale = await onSaleWithin(ctx, before.id);
      if (typeof parentId !== 'string') return values;
      return { ...values, parentId: await checkedParent(ctx, before.id, parentId) };
    });
    const { name } = ctx.audit.changes!;
    return withWarnings(category, [
      ...(mayMove ? onSaleWarning(onSale, await onSaleWithin(ctx, category.id)) : []),
      ...(await renameWarning(ctx, 'category', category.id, name)),
      ...clearedWarning(ctx.audit.changes!),
    ]);
  }

  /**
   * Its children become root categories and its products lose it, each by a change of its own, so that
   * readers of changes see it.
   */
  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    await lockProductsOf(ctx, 'category', id);
    return deleteRecord(ctx, CATEGORY, id, async (category) => {
      const gone = { categoryId: category.id, now: ctx.now() };
      ctx.session.enqueue(LOCK_CHILDREN, gone);
      const [products, categories] = await Promise.all([
        unlinkProducts(ctx, 'category', category.id),
        ctx.session.query(RELEASE_CHILDREN, gone),
      ]);
      ctx.audit.kept = { links: { products, categories: categories.map((child) => child.id) } };
      return category;
    });
  }
}

/**
 * A malformed id has no children, so the list is empty. A slug is refused, because an empty list would hide
 * the mistake.
 */
async function refuseSlug(ctx: StoreContext, parentId: string): Promise<void> {
  const hint = await otherName(ctx, CATEGORY, parentId);
  if (hint !== '') throw invalidInput(`${NO_SUCH_PARENT.text}${hint}`).about('gone', { path: 'parentId' });
}
