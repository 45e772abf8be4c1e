import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { DeleteInput, Deleted, IdInput } from '../../platform/schema/pages/page.dto.js';
import { countsLinks } from '../big-deletions.js';
import { aboutRecord } from '../record-labels.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  CategoryRecord,
  CreateCategoryInput,
  ListCategoriesInput,
  SavedCategory,
  UpdateCategoryInput,
} from './categories.dto.js';
import { COUNT_LINKS_OF_CATEGORY } from './category.statements.js';
import { CATEGORY, CategoriesService } from './categories.service.js';

@Controller('v1')
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Operation({
    name: 'list_categories',
    scope: 'read',
    summary: 'List categories',
    description: 'List categories by sortOrder: all, the roots (parentId null), or the children of one.',
    input: ListCategoriesInput,
    output: CategoryRecord,
    list: true,
  })
  list(ctx: StoreContext, input: ListCategoriesInput) {
    return this.categories.list(ctx, input);
  }

  @Operation({
    name: 'get_category',
    scope: 'read',
    summary: 'Get a category',
    description: 'Get a category.',
    input: IdInput,
    output: CategoryRecord,
  })
  get(ctx: StoreContext, input: IdInput) {
    return this.categories.get(ctx, input.id);
  }

  @Operation({
    name: 'create_category',
    scope: 'write',
    summary: 'Create a category',
    description: 'Create a category.',
    input: CreateCategoryInput,
    output: CategoryRecord,
    additive: true,
  })
  create(ctx: StoreContext, input: CreateCategoryInput) {
    return this.categories.create(ctx, input);
  }

  @Operation({
    name: 'update_category',
    scope: 'write',
    summary: 'Change or move a category',
    description:
      'Change the given fields of a category. A new parentId moves it with its children; null makes it a ' +
      'root.',
    input: UpdateCategoryInput,
    output: SavedCategory,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdateCategoryInput) {
    return this.categories.update(ctx, input);
  }

  @Operation({
    name: 'delete_category',
    scope: 'admin',
    summary: 'Delete a category for good',
    description:
      'Permanently delete a category. Its children become roots; its products stay, without a category.',
    input: DeleteInput,
    output: Deleted,
    destructive: true,
    asks: aboutRecord('Delete', CATEGORY),
    counts: countsLinks(CATEGORY, 'category', COUNT_LINKS_OF_CATEGORY),
    idempotent: true,
    ifMatch: true,
  })
  delete(ctx: StoreContext, input: DeleteInput) {
    return this.categories.delete(ctx, input.id);
  }
}
