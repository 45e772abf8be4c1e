import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BotCredentials } from './bot-credentials.service.js';
import type { ShopLinksRecord } from './bot.dto.js';
import { DemoShopper } from './demo-shopper.service.js';
import { shopAddress, startLink } from './shop-links.js';

/** Where an owner sees the shop, or a product in it, as a shopper does. */
@Injectable()
export class ShopLinks {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly credentials: BotCredentials,
    private readonly demo: DemoShopper,
  ) {}

  async get(ctx: StoreContext, productId?: string): Promise<ShopLinksRecord> {
    const bot = await this.credentials.find(ctx);
    const path = productId === undefined ? '' : `p/${encodeURIComponent(productId)}`;
    const isHere = this.demo.isServed(ctx.storeId, ctx.call!);
    return {
      page: isHere ? shopAddress(this.config, ctx.storeId, path) : null,
      link: bot && startLink(bot, productId === undefined ? 'shop' : `p_${productId}`),
    };
  }
}
