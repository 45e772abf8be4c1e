import type { Door } from '../../../platform/call/endpoint.js';
import { ShopperGuard } from './shopper.guard.js';

export const STOREFRONT_PATH = 'storefront/:storeId';

/** What the Mini App of a store's shoppers asks for; `caller` is a `Visitor`. */
export const STOREFRONT: Door = { name: 'storefront', prefix: STOREFRONT_PATH, guard: ShopperGuard };
