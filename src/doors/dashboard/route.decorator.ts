import { declareEndpoint, type Door, type Endpoint } from '../../platform/call/endpoint.js';
import { NoInput } from '../../platform/schema/pages/page.dto.js';
import { SessionGuard } from './session.guard.js';

export const API_PATH = 'dashboard/api';
const DASHBOARD: Door = { name: 'dashboard', prefix: API_PATH, guard: SessionGuard };

type Stated =
  | 'method'
  | 'path'
  | 'summary'
  | 'description'
  | 'output'
  | 'list'
  | 'access'
  | 'audited'
  | 'ifMatch'
  | 'stream'
  | 'file';

/** The declaration of a route of the dashboard. */
interface RouteSpec extends Pick<Endpoint, Stated> {
  /** The default is no input. */
  input?: Endpoint['input'];
  /** The default is write if it is audited, otherwise read. */
  scope?: Endpoint['scope'];
}

/**
 * Declares a route of the dashboard on a method `(ctx: StoreContext, input, caller: Caller)`, or `(caller:
 * Caller, input)` outside a store. Routes below stores/:storeId are for members only. An audited route counts
 * as a write.
 */
export function Route(spec: RouteSpec): MethodDecorator {
  const budget = spec.audited ? 'write' : 'read';
  return declareEndpoint({ input: NoInput, scope: budget, ...spec, door: DASHBOARD, budget });
}
