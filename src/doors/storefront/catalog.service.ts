import { Injectable } from '@nestjs/common';
import { DEFAULT_TAKE, idBelow, NEWEST_FIRST, pageOf } from '../../platform/schema/pages/page.js';
import { cutToBytes } from '../../platform/schema/present.js';
import type { PageInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Shop } from './shop/shop.service.js';
import { LIST_CATALOG } from './storefront.statements.js';

/** A page of whole products, with what a shop's pages need besides: one call for apps of owners. */
@Injectable()
export class Catalog {
  constructor(private readonly shop: Shop) {}

  async page(ctx: StoreContext, { take = DEFAULT_TAKE, cursor }: PageInput) {
    const [products, common] = await Promise.all([
      ctx.session.read(LIST_CATALOG, { idBelow: idBelow(cursor), take: take + 1, now: ctx.now() }),
      this.shop.common(ctx),
    ]);
    const page = pageOf(products, take, NEWEST_FIRST);
    const { texts, nextCursor } = cutToBytes(page, (product) => JSON.stringify(product));
    return { ...common, items: page.items.slice(0, texts.length), nextCursor };
  }
}
