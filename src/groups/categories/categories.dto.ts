import { Example } from '../../platform/schema/example.js';
import { DateTime, Flag, Identifier, Integer, Slug, Text, Uri } from '../../platform/schema/fields.js';
import { IdInput, PageInput } from '../../platform/schema/page.dto.js';

export class ListCategoriesInput extends PageInput {
  @Identifier({ optional: true, nullable: true, description: 'Only children of this category; null: only roots; absent: all.' })
  parentId?: string | null;
}

@Example({ name: 'Mugs', slug: 'mugs', sortOrder: 10 })
export class CreateCategoryInput {
  @Text({ min: 1, max: 200 }) name: string;
  @Slug({ description: 'Unique among the categories of the store.' }) slug: string;
  @Text({ max: 2000, optional: true }) description?: string;
  @Uri({ optional: true }) imageUrl?: string;
  @Identifier({ optional: true, description: 'A category of this store. Absent: a root.' }) parentId?: string;
  @Integer({ optional: true, description: 'Lower comes first. Default 0.' }) sortOrder?: number;
  @Flag({ optional: true, description: 'Default true.' }) isActive?: boolean;
}

@Example({ name: 'Mugs and cups', sortOrder: 20 })
export class UpdateCategoryInput extends IdInput {
  @Text({ min: 1, max: 200, optional: true }) name?: string;
  @Slug({ optional: true, description: 'Unique among the categories of the store.' }) slug?: string;
  @Text({ max: 2000, optional: true, nullable: true }) description?: string | null;
  @Uri({ optional: true, nullable: true }) imageUrl?: string | null;
  @Identifier({ optional: true, nullable: true, description: 'Neither the category itself nor one below it. Null: a root.' })
  parentId?: string | null;
  @Integer({ optional: true, description: 'Lower comes first.' }) sortOrder?: number;
  @Flag({ optional: true }) isActive?: boolean;
}

@Example({ name: 'Mugs', slug: 'mugs', sortOrder: 10 })
export class CategoryRecord {
  @Identifier() id: string;
  @Text() name: string;
  @Slug() slug: string;
  @Text({ nullable: true }) description: string | null;
  @Uri({ nullable: true }) imageUrl: string | null;
  @Identifier({ nullable: true, description: 'Null for a root.' }) parentId: string | null;
  @Integer() sortOrder: number;
  @Flag() isActive: boolean;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}
