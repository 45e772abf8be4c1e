import { declareEndpoint, type Door, type Endpoint } from '../../../platform/call/endpoint.js';
import { NoInput } from '../../../platform/schema/pages/page.dto.js';
import { ShopperGuard } from './shopper.guard.js';

export const STOREFRONT_PATH = 'storefront/:storeId';
const STOREFRONT: Door = { name: 'storefront', prefix: STOREFRONT_PATH, guard: ShopperGuard };

type Stated = 'path' | 'budget' | 'summary' | 'description' | 'output' | 'list' | 'idempotencyKey';

/** The declaration of a route of the storefront. */
interface ShopperRouteSpec extends Pick<Endpoint, Stated> {
  method: 'GET' | 'POST';
  /** The default is no input. */
  input?: Endpoint['input'];
}

/**
 * Declares one route of the storefront on a controller method `(ctx: StoreContext, input, visitor: Visitor)`.
 */
export function ShopperRoute(spec: ShopperRouteSpec): MethodDecorator {
  return declareEndpoint({ input: NoInput, ...spec, door: STOREFRONT, scope: 'read' });
}
