import { Injectable } from '@nestjs/common';
import { explainConstraints } from '../../platform/errors.js';
import { gone, used } from '../../platform/problems.js';
import type { Deleted } from '../../platform/schema/pages/page.dto.js';
import type { Page, PageRequest } from '../../platform/schema/pages/page.js';
import {
  changeRecord,
  createRecord,
  deleteRecord,
  getRecord,
  readPage,
} from '../../platform/store/records.js';
import type { RowOf } from '../../platform/database/statement.js';
import { clearedWarning, withWarnings } from '../../platform/schema/warnings.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { lockProductsOf, unlinkProducts } from '../big-deletions.js';
import { renameWarning } from '../places.js';
import { Brand } from './brand.entity.js';
import { LIST_BRANDS } from './brand.statements.js';
import { BrandRecord, type CreateBrandInput, type UpdateBrandInput } from './brands.dto.js';

explainConstraints({
  brands_slug_key: used('slug', 'brand of this store'),
  products_brand: gone('brandId', 'brand'),
});

export const BRAND = {
  entity: Brand,
  name: 'Brand',
  output: BrandRecord,
  alsoNamedBy: 'slug' as const,
  isRestorable: true as const,
};

@Injectable()
export class BrandsService {
  list(ctx: StoreContext, page: PageRequest): Promise<Page<RowOf<typeof LIST_BRANDS>>> {
    return readPage(ctx, LIST_BRANDS, page);
  }

  get(ctx: StoreContext, id: string): Promise<Brand> {
    return getRecord(ctx, BRAND, id);
  }

  create(ctx: StoreContext, input: CreateBrandInput): Promise<Brand> {
    return createRecord(ctx, BRAND, input, { isActive: true, ...input });
  }

  /** Products of a brand that is not active stay on sale. */
  async update(ctx: StoreContext, { id, ...values }: UpdateBrandInput) {
    const brand = await changeRecord(ctx, BRAND, id, values);
    return withWarnings(brand, [
      ...(await renameWarning(ctx, 'brand', brand.id, ctx.audit.changes!.name)),
      ...clearedWarning(ctx.audit.changes!),
    ]);
  }

  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    await lockProductsOf(ctx, 'brand', id);
    return deleteRecord(ctx, BRAND, id, async (brand) => {
      ctx.audit.kept = { links: { products: await unlinkProducts(ctx, 'brand', brand.id) } };
      return brand;
    });
  }
}
