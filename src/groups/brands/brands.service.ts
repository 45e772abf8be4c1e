import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { changedFields, deletion } from '../../platform/store/audit.js';
import type { Page, PageRequest } from '../../platform/schema/page.js';
import type { Deleted } from '../../platform/schema/page.dto.js';
import { statement } from '../../platform/database/statement.js';
import { isUuid } from '../../platform/schema/formats.js';
import { explainConstraints, notFound } from '../../platform/errors.js';
import { nextVersion } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Brand } from './brand.entity.js';
import { BrandRecord, type CreateBrandInput, type UpdateBrandInput } from './brands.dto.js';

explainConstraints({
  brands_slug_key: 'slug is already used by another brand of this store',
  products_brand: 'brandId is not a brand of this store',
});

/** In the order in which carts lock products, so that neither waits for the other (docs/behaviour.md §6.6). */
const LOCK_PRODUCTS_OF_BRAND = statement(
  'lock_products_of_brand',
  'select from products p where p.store_id = $1 and p.brand_id = $2 order by p.id for update',
);

@Injectable()
export class BrandsService {
  list(ctx: StoreContext, page: PageRequest): Promise<Page<Brand>> {
    return ctx.rows(Brand).page(page);
  }

  async get(ctx: StoreContext, id: string, options: { lock?: boolean } = {}): Promise<Brand> {
    const brand = await ctx.rows(Brand).findById(id, options);
    if (!brand) throw notFound('Brand', id);
    return brand;
  }

  async create(ctx: StoreContext, input: CreateBrandInput): Promise<Brand> {
    const now = ctx.now();
    const brand = await ctx.rows(Brand).insert({
      id: uuidv7(),
      name: input.name,
      slug: input.slug,
      description: input.description ?? null,
      logoUrl: input.logoUrl ?? null,
      websiteUrl: input.websiteUrl ?? null,
      isActive: input.isActive ?? true,
      createdAt: now,
      updatedAt: now,
    });
    ctx.audit.target = `brand:${brand.id}`;
    ctx.audit.changes = changedFields({}, input);
    return brand;
  }

  async update(ctx: StoreContext, { id, ...values }: UpdateBrandInput): Promise<Brand> {
    const brand = await this.get(ctx, id, { lock: true });
    ctx.checkUnchanged(brand.updatedAt);
    const changes = changedFields(brand, values);
    if (Object.keys(changes).length > 0) {
      const changed = { ...values, updatedAt: nextVersion(ctx, brand.updatedAt) };
      await ctx.rows(Brand).update({ id: brand.id }, changed);
      Object.assign(brand, changed);
    }
    ctx.audit.target = `brand:${brand.id}`;
    ctx.audit.changes = changes;
    return brand;
  }

  /** The products of the brand lose their link by their foreign key. */
  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    if (isUuid(id)) ctx.session.send(LOCK_PRODUCTS_OF_BRAND, id);
    const brand = await this.get(ctx, id, { lock: true });
    ctx.checkUnchanged(brand.updatedAt);
    await ctx.rows(Brand).delete({ id: brand.id });
    ctx.audit.target = `brand:${brand.id}`;
    ctx.audit.changes = deletion(BrandRecord, brand);
    return { id: brand.id, deleted: true };
  }
}
