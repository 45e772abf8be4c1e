import { UpdateOf } from '../../platform/schema/derived-fields.js';
import { Example } from '../../platform/schema/example.js';
import { DateTime, Flag, Identifier, Slug, Text, Uri } from '../../platform/schema/fields.js';
import { Warnings } from '../../platform/schema/warnings.js';

@Example({ name: 'Nordwind', slug: 'nordwind', websiteUrl: 'https://nordwind.example/' })
export class CreateBrandInput {
  @Text({ min: 1, max: 200 }) name: string;
  @Slug({ description: 'Part of the web address. It is unique among the brands of the store.' }) slug: string;
  @Text({ max: 2000, optional: true }) description?: string;
  @Uri({ optional: true }) logoUrl?: string;
  @Uri({ optional: true }) websiteUrl?: string;
  @Flag({
    ...{ optional: true, default: true },
    description: 'Whether the brand is active. The default is true.',
    hint: 'Default true.',
  })
  isActive?: boolean;
}

@Example({ name: 'Nordwind Home' })
export class UpdateBrandInput extends UpdateOf(CreateBrandInput) {
  @Flag({ optional: true }) isActive?: boolean;
}

@Example({ name: 'Nordwind', slug: 'nordwind', websiteUrl: 'https://nordwind.example/' })
export class BrandRecord {
  @Identifier() id: string;
  @Text() name: string;
  @Slug() slug: string;
  @Text({ nullable: true }) description: string | null;
  @Uri({ nullable: true }) logoUrl: string | null;
  @Uri({ nullable: true }) websiteUrl: string | null;
  @Flag() isActive: boolean;
  @DateTime() createdAt: Date;
  @DateTime() updatedAt: Date;
}

/** What update_brand answers. */
export class SavedBrand extends BrandRecord {
  @Warnings() warnings?: string[];
}
