import 'reflect-metadata';
import type { Call } from '../../platform/store/call.js';
import type { DtoClass } from '../../platform/schema/fields.js';
import type { Session } from '../../people/sessions.service.js';

/** Who calls a page that is about no store. */
export interface Caller {
  call: Call;
  /** Null on public pages, and where a session is optional. */
  session: Session | null;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by SessionGuard. */
    caller: Caller;
  }
}

/** Everything there is to say of one page of the dashboard. */
export interface RouteSpec {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /dashboard/api, with Nest's `:name` for parameters. Under stores/:storeId only members get in. */
  path: string;
  /** Default: everybody who is signed in (and a member of the store). `optional`: with a session, if there is a cookie, or without. */
  access?: 'public' | 'optional' | 'owner';
  summary: string;
  description?: string;
  /** Path parameters, query and body in one class, `storeId` apart; numbers of a query are read as such. */
  input?: DtoClass;
  /** What leaves: only its fields do. */
  output: DtoClass;
  /** The data is a page of `output`. */
  list?: boolean;
  /** The name under which it is audited; every page that changes a store has one. */
  audited?: string;
  /** Honours the If-Match header: the `updatedAt` of the record that the caller last saw. */
  ifMatch?: boolean;
}

const ROUTE = 'shop:dashboard-route';

export function routeOf(handler: object): RouteSpec | undefined {
  return Reflect.getMetadata(ROUTE, handler) as RouteSpec | undefined;
}

export function describeRoute(handler: object, spec: RouteSpec): void {
  Reflect.defineMetadata(ROUTE, spec, handler);
}

export const API_PATH = 'dashboard/api';
