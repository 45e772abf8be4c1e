import { Example } from '../../platform/schema/example.js';
import { Identifier, Integer } from '../../platform/schema/fields.js';
import { NestedList, TextList } from '../../platform/schema/list-fields.js';
import { CategoryRecord } from './categories.dto.js';

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
