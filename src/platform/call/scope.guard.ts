import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import {
  groupTitle,
  includesScope,
  isWithin,
  LEVEL_NAMES,
  type RequiredRights,
  UNGROUPED,
  type Scope,
  scopesWith,
} from '../../access/rights.js';
import { consentChallenge } from '../auth/challenge.js';
import { forbidden } from '../errors.js';
import { BudgetGuard } from '../rate-limit/budget.guard.js';
import type { Paging } from '../schema/pages/page.js';
import { writeAudit } from '../store/audit.js';
import type { Call, Principal } from '../store/call.js';
import { StoreDatabase } from '../store/store-context.js';

/** What the guard reads of an endpoint (endpoint.ts). */
interface Guarded {
  door: { name: string };
  path: string;
  list?: Paging;
  scope: Scope;
  groups?: readonly string[];
  budget: 'read' | 'write';
  audited?: string;
}

/** The methods that can be called: their endpoints, and their names in logs. */
export const GUARDED = new WeakMap<object, { endpoint: Guarded; name: string }>();

/** What the callers of an endpoint need. */
interface EndpointRights {
  /** The scopes that include the endpoint's scope. */
  allowed: readonly (Scope | null)[];
  needed: RequiredRights;
}

/**
 * Admits a caller whom the door's guard has identified: first the budget (429), then the scope and the groups
 * that the endpoint needs (403). Doors that call operations other than by their routes ask `admit`. Callers
 * outside a store have no scope, and their door's guard counts them.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  private readonly rights = new Map<Guarded, EndpointRights>();

  constructor(
    private readonly budgets: BudgetGuard,
    private readonly database: StoreDatabase,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { call } = context.switchToHttp().getRequest<{ call: Call }>();
    const { endpoint, name } = GUARDED.get(context.getHandler())!;
    call.operation = name;
    return call.auth.principal ? this.admit(endpoint, call) : true;
  }

  /** @throws OperationError rate_limited, forbidden */
  async admit(endpoint: Guarded, call: Call): Promise<true> {
    await this.budgets.spend(call, endpoint.budget);
    if (!this.isAllowed(endpoint, call)) await this.refuse(endpoint, call);
    const { auth } = call;
    if (endpoint.list === 'feed') auth.recharge = () => this.recharge(endpoint, call);
    return true;
  }

  isAllowed(endpoint: Guarded, { auth: { principal } }: Call): boolean {
    const { allowed, needed } = this.rightsOf(endpoint);
    return (
      principal!.refusal === undefined && allowed.includes(principal!.scope) && isWithin(principal!, needed)
    );
  }

  /**
   * Says what the caller lacks. The refusal of a change is audited (docs/behaviour.md §6.10).
   * @throws OperationError forbidden
   */
  async refuse(endpoint: Guarded, call: Call, isAudited = true): Promise<never> {
    const principal = call.auth.principal!;
    const { door, audited } = endpoint;
    if (principal.refusal !== undefined) throw principal.refusal;
    if (audited && isAudited) {
      const ctx = this.database.contextOf(call);
      const { transport } = call;
      writeAudit(ctx, { operation: audited, transport, input: {}, outcome: 'forbidden' });
      await ctx.session.commit();
    }
    if (principal.scope === null) throw forbidden('The role of this member allows nothing in this store');
    const { needed } = this.rightsOf(endpoint);
    const isScopeEnough = includesScope(principal.scope, needed.scope);
    // On the dashboard people have a role instead of a token.
    if (call.transport === 'dashboard') {
      const what = door.name === 'operations' ? `run ${needed.name}` : 'do this';
      if (isScopeEnough) throw forbidden(`To ${what} you need ${groupsOf(needed)}, which you do not have`);
      throw forbidden(`Only the store's owner may ${what}`);
    }
    const challenge = consentChallenge(principal, needed);
    if (challenge) call.setHeader('WWW-Authenticate', challenge);
    const way = challenge ? howToConnect(principal, needed) : '';
    if (isScopeEnough)
      throw forbidden(`${needed.name} needs ${groupsOf(needed)}, which this token does not have${way}`);
    throw forbidden(
      `${needed.name} needs a token of scope ${needed.scope}; this one has ${principal.scope}${way}`,
    );
  }

  /** A feed that waits looks again who its caller is, and what the caller may do. */
  private async recharge(endpoint: Guarded, call: Call): Promise<void> {
    if (call.auth.identity) call.auth.principal = await call.auth.identity.find();
    if (!this.isAllowed(endpoint, call)) await this.refuse(endpoint, call);
  }

  /** Groups are known only after the start, when the registry has found those of operations. */
  private rightsOf(endpoint: Guarded): EndpointRights {
    let rights = this.rights.get(endpoint);
    if (!rights) {
      const { path, scope, groups = UNGROUPED } = endpoint;
      rights = { allowed: scopesWith(scope), needed: { name: path, scope, groups } };
      this.rights.set(endpoint, rights);
    }
    return rights;
  }
}

/** For clients that do not open the page by themselves when they are challenged. */
function howToConnect(principal: Principal, needed: RequiredRights): string {
  const choices = [
    ...(includesScope(principal.scope, needed.scope) ? [] : [`"${LEVEL_NAMES[needed.scope]}"`]),
    ...(isWithin(principal, needed) ? [] : needed.groups.map((group) => `"${groupTitle(group)}"`)),
  ];
  return `: connect the app again and check ${choices.join(' and ')}`;
}

const groupsOf = ({ groups }: RequiredRights) =>
  groups.length === 0 ? 'every group of operations' : `the group ${groups.join(' or ')}`;
