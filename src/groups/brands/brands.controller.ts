import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { DeleteInput, Deleted, IdInput, PageInput } from '../../platform/schema/pages/page.dto.js';
import { countsLinks } from '../big-deletions.js';
import { aboutRecord } from '../record-labels.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BrandRecord, CreateBrandInput, SavedBrand, UpdateBrandInput } from './brands.dto.js';
import { COUNT_LINKS_OF_BRAND } from './brand.statements.js';
import { BRAND, BrandsService } from './brands.service.js';

@Controller('v1')
export class BrandsController {
  constructor(private readonly brands: BrandsService) {}

  @Operation({
    name: 'list_brands',
    scope: 'read',
    summary: 'List brands',
    description: 'List brands, newest first.',
    input: PageInput,
    output: BrandRecord,
    list: true,
  })
  list(ctx: StoreContext, input: PageInput) {
    return this.brands.list(ctx, input);
  }

  @Operation({
    name: 'get_brand',
    scope: 'read',
    summary: 'Get a brand',
    description: 'Get a brand.',
    input: IdInput,
    output: BrandRecord,
  })
  get(ctx: StoreContext, input: IdInput) {
    return this.brands.get(ctx, input.id);
  }

  @Operation({
    name: 'create_brand',
    scope: 'write',
    summary: 'Create a brand',
    description: 'Create a brand.',
    input: CreateBrandInput,
    output: BrandRecord,
    additive: true,
  })
  create(ctx: StoreContext, input: CreateBrandInput) {
    return this.brands.create(ctx, input);
  }

  @Operation({
    name: 'update_brand',
    scope: 'write',
    summary: 'Change a brand',
    description: 'Change the given fields of a brand. Null clears a field.',
    input: UpdateBrandInput,
    output: SavedBrand,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdateBrandInput) {
    return this.brands.update(ctx, input);
  }

  @Operation({
    name: 'delete_brand',
    scope: 'admin',
    summary: 'Delete a brand for good',
    description: 'Permanently delete a brand. Its products stay.',
    input: DeleteInput,
    output: Deleted,
    destructive: true,
    asks: aboutRecord('Delete', BRAND),
    counts: countsLinks(BRAND, 'brand', COUNT_LINKS_OF_BRAND),
    idempotent: true,
    ifMatch: true,
  })
  delete(ctx: StoreContext, input: DeleteInput) {
    return this.brands.delete(ctx, input.id);
  }
}
