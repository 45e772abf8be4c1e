import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { changedFields, deletion } from '../../platform/store/audit.js';
import { decodeCursor, DEFAULT_TAKE, type Order, type Page, pageOf } from '../../platform/schema/page.js';
import { isUuid } from '../../platform/schema/formats.js';
import { explainConstraints, invalidInput, notFound } from '../../platform/errors.js';
import { nextVersion } from '../../platform/store/version.js';
import type { Deleted } from '../../platform/schema/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  CategoryRecord,
  type CreateCategoryInput,
  type ListCategoriesInput,
  type UpdateCategoryInput,
} from './categories.dto.js';
import { checkedParent, lockTree, NO_SUCH_PARENT } from './category-tree.js';
import { Category } from './category.entity.js';
import {
  LIST_CATEGORIES,
  LIST_CHILD_CATEGORIES,
  LIST_ROOT_CATEGORIES,
  LOCK_PRODUCTS_OF_CATEGORY,
} from './category.statements.js';

type CategoryRow = Omit<Category, 'storeId'>;

explainConstraints({
  categories_slug_key: 'slug is already used by another category of this store',
  categories_parent: NO_SUCH_PARENT,
  products_category: 'categoryId is not a category of this store',
});

/** docs/behaviour.md §3. */
const SORTED_THEN_NEWEST: Order = [
  { property: 'sortOrder', direction: 'ASC' },
  { property: 'id', direction: 'DESC' },
];

/** Below every sort order the wire can carry. */
const BEFORE_ALL = [-(2 ** 53), '00000000-0000-0000-0000-000000000000'];

@Injectable()
export class CategoriesService {
  async list(ctx: StoreContext, { take = DEFAULT_TAKE, cursor, parentId }: ListCategoriesInput): Promise<Page<CategoryRow>> {
    const after = cursor === undefined ? BEFORE_ALL : decodeCursor(cursor, SORTED_THEN_NEWEST);
    const range = [...after, take + 1];
    let rows: CategoryRow[] = [];
    if (parentId === undefined) rows = await ctx.session.read<CategoryRow>(LIST_CATEGORIES, ...range);
    else if (parentId === null) rows = await ctx.session.read<CategoryRow>(LIST_ROOT_CATEGORIES, ...range);
    // An id that is not well formed names nothing, so nothing is its child.
    else if (isUuid(parentId)) rows = await ctx.session.read<CategoryRow>(LIST_CHILD_CATEGORIES, ...range, parentId);
    return pageOf(rows, take, SORTED_THEN_NEWEST);
  }

  async get(ctx: StoreContext, id: string, options: { lock?: boolean } = {}): Promise<Category> {
    const category = await ctx.rows(Category).findById(id, options);
    if (!category) throw notFound('Category', id);
    return category;
  }

  /** A new category has nothing below it, so no circle can come of it: its foreign key says all there is to check. */
  async create(ctx: StoreContext, input: CreateCategoryInput): Promise<Category> {
    if (input.parentId !== undefined && !isUuid(input.parentId)) throw invalidInput(NO_SUCH_PARENT);
    const now = ctx.now();
    const category = await ctx.rows(Category).insert({
      id: uuidv7(),
      name: input.name,
      slug: input.slug,
      description: input.description ?? null,
      imageUrl: input.imageUrl ?? null,
      parentId: input.parentId?.toLowerCase() ?? null,
      sortOrder: input.sortOrder ?? 0,
      isActive: input.isActive ?? true,
      createdAt: now,
      updatedAt: now,
    });
    ctx.audit.target = `category:${category.id}`;
    ctx.audit.changes = changedFields({}, input);
    return category;
  }

  async update(ctx: StoreContext, { id, ...values }: UpdateCategoryInput): Promise<Category> {
    if (typeof values.parentId === 'string') await lockTree(ctx);
    const category = await this.get(ctx, id, { lock: true });
    ctx.checkUnchanged(category.updatedAt);
    if (typeof values.parentId === 'string') values.parentId = await checkedParent(ctx, category.id, values.parentId);
    const changes = changedFields(category, values);
    if (Object.keys(changes).length > 0) {
      const changed = { ...values, updatedAt: nextVersion(ctx, category.updatedAt) };
      await ctx.rows(Category).update({ id: category.id }, changed);
      Object.assign(category, changed);
    }
    ctx.audit.target = `category:${category.id}`;
    ctx.audit.changes = changes;
    return category;
  }

  /** Children become roots and products lose their link, each by its foreign key. */
  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    if (isUuid(id)) ctx.session.send(LOCK_PRODUCTS_OF_CATEGORY, id);
    const category = await this.get(ctx, id, { lock: true });
    ctx.checkUnchanged(category.updatedAt);
    await ctx.rows(Category).delete({ id: category.id });
    ctx.audit.target = `category:${category.id}`;
    ctx.audit.changes = deletion(CategoryRecord, category);
    return { id: category.id, deleted: true };
  }
}
