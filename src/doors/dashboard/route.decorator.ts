import { EVERY_GROUP, type Group, UNGROUPED } from '../../access/rights.js';
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
  | 'isAlwaysAnswered'
  | 'ifMatch'
  | 'idempotencyKey'
  | 'before'
  | 'stream'
  | 'file';

/** The declaration of a route of the dashboard. */
interface RouteSpec extends Pick<Endpoint, Stated> {
  /** The default is no input. */
  input?: Endpoint['input'];
  /**
   * The groups of operations of which a narrowed member needs one; 'every' shows and does only what the
   * member's groups allow; 'whole' is only for members with every group. Routes of a store must say it,
   * unless they are for owners, who have every group.
   */
  groups?: Group | readonly Group[] | 'every' | 'whole';
  /** The default is write if it is audited, otherwise read. */
  scope?: Endpoint['scope'];
}

/**
 * Declares a route of the dashboard on a method `(ctx: StoreContext, input, caller: Caller)`, or outside a
 * store `(input, caller: Caller)`. Routes below stores/:storeId are for members only. An audited route counts
 * as a write and supports Idempotency-Key, unless it says otherwise.
 */
export function Route({ groups, ...spec }: RouteSpec): MethodDecorator {
  const budget = spec.audited ? 'write' : 'read';
  if (!groups && spec.scope !== 'admin' && spec.path.includes(':storeId'))
    throw new Error(`${spec.method} ${spec.path} says nothing of groups`);
  const idempotencyKey = spec.audited ? ('kept' as const) : undefined;
  const own = { door: DASHBOARD, budget } as const;
  const endpoint = { input: NoInput, scope: budget, idempotencyKey, ...spec, ...own } as const;
  return declareEndpoint({ ...endpoint, groups: namesOf(groups) });
}

function namesOf(groups: RouteSpec['groups']): readonly string[] {
  if (groups === undefined || groups === 'whole') return UNGROUPED;
  return groups === 'every' ? [EVERY_GROUP] : [groups].flat();
}
