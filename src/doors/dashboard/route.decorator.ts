import { declareEndpoint, type Door, type Endpoint } from '../../platform/call/endpoint.js';
import { NoInput } from '../../platform/schema/page.dto.js';
import { SessionGuard } from './session.guard.js';

export const API_PATH = 'dashboard/api';
const DASHBOARD: Door = { name: 'dashboard', prefix: API_PATH, guard: SessionGuard };

type Stated =
  'method' | 'path' | 'summary' | 'description' | 'output' | 'list' | 'access' | 'audited' | 'ifMatch' | 'stream' | 'file';

/** Everything there is to say of one page of the dashboard. */
export interface RouteSpec extends Pick<Endpoint, Stated> {
  /** Default: nothing. */
  input?: Endpoint['input'];
}

/**
 * Declares one page of the dashboard on a method `(ctx: StoreContext, input)`, or `(caller: Caller, input)` outside a store. Under
 * stores/:storeId only members get in; what is audited counts as a write.
 */
export function Route(spec: RouteSpec): MethodDecorator {
  return declareEndpoint({
    input: NoInput,
    ...spec,
    door: DASHBOARD,
    scope: spec.access === 'owner' ? 'admin' : 'read',
    budget: spec.audited ? 'write' : 'read',
  });
}
