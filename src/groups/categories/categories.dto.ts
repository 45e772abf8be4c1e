import { UpdateOf } from '../../platform/schema/derived-fields.js';
import { Example } from '../../platform/schema/example.js';
import { DateTime, Flag, Identifier, Integer, Slug, Text, Uri } from '../../platform/schema/fields.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';
import { Warnings } from '../../platform/schema/warnings.js';
import { NestedList, TextList } from '../../platform/schema/list-fields.js';

export class ListCategoriesInput extends PageInput {
  @Identifier({
    optional: true,
    nullable: true,
    description:
      'The id of a category, to list only its children. Null lists only root categories; ' +
      'without it all are listed.',
    hint: '',
  })
  parentId?: string | null;
}

@Example({ name: 'Mugs', slug: 'mugs', sortOrder: 10 })
export class CreateCategoryInput {
  @Text({ min: 1, max: 200 }) name: string;
  @Slug({ description: 'Part of the web address. It is unique among the categories of the store.' })
  slug: string;
  @Text({ max: 2000, optional: true }) description?: string;
  @Uri({ optional: true }) imageUrl?: string;
  @Identifier({
    optional: true,
    isOwnId: true,
    description: 'The id of the parent category in this store. Without it the category is a root.',
    hint: '',
  })
  parentId?: string;
  @Integer({
    ...{ optional: true, default: 0 },
    description: 'Categories with a lower number are listed first. The default is 0.',
    hint: 'Lower is first.',
  })
  sortOrder?: number;
  @Flag({
    ...{ optional: true, default: true },
    description: 'Whether the category is active. The default is true.',
    hint: 'Default true.',
  })
  isActive?: boolean;
}

@Example({ name: 'Mugs and cups', sortOrder: 20 })
export class UpdateCategoryInput extends UpdateOf(CreateCategoryInput, { slug: { hint: '' } }) {
  @Identifier({
    optional: true,
    nullable: true,
    description:
      'The id of the new parent, which must be neither the category itself nor one below it. ' +
      'Null makes the category a root.',
    hint: '',
  })
  parentId?: string | null;
  @Integer({
    optional: true,
    description: 'Categories with a lower number are listed first.',
    hint: 'Lower is first.',
  })
  sortOrder?: number;
  @Flag({ optional: true }) isActive?: boolean;
}

@Example({ name: 'Mugs', slug: 'mugs', sortOrder: 10 })
export class CategoryRecord {
  @Identifier() id: string;
  @Text() name: string;
  @Slug() slug: string;
  @Text({ nullable: true }) description: string | null;
  @Uri({ nullable: true }) imageUrl: string | null;
  @Identifier({ nullable: true, description: 'The id of the parent category; null for a root category.' })
  parentId: string | null;
  @Integer() sortOrder: number;
  @Flag() isActive: boolean;
  @DateTime() createdAt: Date;
  @DateTime() updatedAt: Date;
}

/** What update_category answers. */
export class SavedCategory extends CategoryRecord {
  @Warnings() warnings?: string[];
}

const MAX_IDS = 1_000;

@Example({ ids: ['0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07', '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c08'] })
export class ReorderCategoriesInput {
  @TextList({
    min: 1,
    max: MAX_IDS,
    itemLimit: 200,
    description: 'The ids of all categories under one parent, or of all root categories, in their new order.',
  })
  ids: string[];
}

@Example({ updated: 1 })
export class ReorderedCategories {
  @Identifier({ nullable: true, description: 'The id of the parent; null for root categories.' }) parentId:
    string | null;
  @Integer({ min: 0, description: 'The number of categories that have another sortOrder than before.' })
  updated: number;
  @NestedList(() => CategoryRecord, { max: MAX_IDS, description: 'The categories in their new order.' })
  items: CategoryRecord[];
}
