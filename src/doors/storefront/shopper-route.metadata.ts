import 'reflect-metadata';
import type { Shopper } from '../../groups/customers/first-contact.service.js';
import type { Call } from '../../platform/store/call.js';
import type { DtoClass } from '../../platform/schema/fields.js';

/** The shopper behind a call of the storefront, whom the store's bot vouches for. */
export interface Visitor {
  shopper: Shopper;
  /** What the link they came by carried. */
  startParam: string | null;
  botUsername: string;
  call: Call;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by ShopperGuard. */
    visitor: Visitor;
  }
}

/** Everything there is to say of one route of the storefront. */
export interface ShopperRouteSpec {
  method: 'GET' | 'POST';
  /** Below /storefront/{storeId}, with Nest's `:name` for parameters. */
  path: string;
  /** The budget it counts against. */
  kind: 'read' | 'write';
  summary: string;
  description?: string;
  /** Path parameters and the query of a GET or the body of a POST in one class, `storeId` apart. Default: nothing. */
  input?: DtoClass;
  /** What leaves: only its fields do, save for orders, which the database has written already. */
  output: DtoClass;
  /** The data is a page of `output`. */
  list?: boolean;
  /** Takes the Idempotency-Key header. */
  idempotencyKey?: boolean;
}

export const STOREFRONT_PATH = 'storefront/:storeId';

const ROUTE = 'shop:storefront-route';

export function shopperRouteOf(handler: object): ShopperRouteSpec | undefined {
  return Reflect.getMetadata(ROUTE, handler) as ShopperRouteSpec | undefined;
}

export function describeShopperRoute(handler: object, spec: ShopperRouteSpec): void {
  Reflect.defineMetadata(ROUTE, spec, handler);
}
