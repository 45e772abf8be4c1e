import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { scopeOf } from '../../access/rights.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { isUuid } from '../../platform/schema/formats.js';
import { forbidden, noSuchStore, OperationError } from '../../platform/errors.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { type Endpoint, endpointOf } from '../../platform/call/endpoint.js';
import { type Call, type Principal, suspension } from '../../platform/store/call.js';
import type { Caller } from './caller.js';
import { mediaType } from '../../platform/call/input.js';
import { Cookies } from './cookies.js';
import { type Session, Sessions } from '../../people/sign-in/sessions.service.js';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Identifies the caller. The answer is 403 for a request from another site, 401 without a session, and 404
 * for a store that does not exist or of which the user is not a member. The role says what a member may do.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  private readonly origin: string;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly sessions: Sessions,
    private readonly budgets: BudgetGuard,
    private readonly cookies: Cookies,
  ) {
    this.origin = new URL(config.baseUrl).origin;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { call } = request;
    call.transport = 'dashboard';
    call.answer = { isForPages: true };
    // Answers may contain secrets that are shown only once, so no cache may keep them.
    call.setHeader('Cache-Control', 'no-store');
    const endpoint = endpointOf(context.getHandler());
    this.refuseOtherSites(request, endpoint?.file?.types);
    call.auth.caller = { call, session: null } satisfies Caller;
    const { access } = endpoint ?? {};
    if (access === 'public' || access === 'optional') {
      // A cookie whose session has ended is ignored, because its user cannot remove it.
      const token = access === 'public' ? null : this.cookies.sessionOf(call);
      const found = token === null ? null : await this.sessions.find(token, null);
      if (found) await this.admit(call, found.session, endpoint!);
      else {
        call.auth.isUnknown = true;
        await this.budgets.spendAddress(call, 'public', 'calls without a session');
      }
      return true;
    }
    const { storeId } = request.params;
    await this.identify(request, typeof storeId === 'string' ? storeId : null, endpoint);
    return true;
  }

  /**
   * Refuses requests from other sites. With SameSite=Strict they do not include the cookie; this check also
   * covers browsers without SameSite, and sibling hosts.
   * @param files the types of files that the route accepts. A form cannot send such a body, and a script of
   * another site needs a preflight request
   */
  private refuseOtherSites({ method, headers }: Request, files: readonly string[] = []): void {
    if (SAFE_METHODS.has(method)) return;
    if (headers.origin !== undefined && headers.origin !== this.origin) {
      throw forbidden(`The dashboard takes requests of ${this.origin} only`);
    }
    // A form of another site cannot send JSON. Without a body there is no type, and the check of the origin
    // is enough.
    const type = headers['content-type'];
    if (type === undefined || files.includes(mediaType(type))) return;
    if (!/^application\/json\s*(;|$)/i.test(type)) throw forbidden('Content-Type must be application/json');
  }

  /** Lets a person in, whose call is about no store. */
  private async admit(call: Call, session: Session, { budget, isAlwaysAnswered }: Endpoint): Promise<void> {
    call.auth.caller = { call, session } satisfies Caller;
    if (isAlwaysAnswered) await this.budgets.report(call, budgetOf(session));
    else await this.budgets.spendOwn(call, budgetOf(session), budget);
  }

  private async identify({ call }: Request, storeId: string | null, endpoint?: Endpoint): Promise<void> {
    if (storeId === null) return this.admit(call, (await this.find(call, null)).session, endpoint!);
    call.auth.identity = { find: () => this.memberOf(call, storeId) };
    call.auth.principal = await call.auth.identity.find();
  }

  private async find(call: Call, storeId: string | null) {
    const token = this.cookies.sessionOf(call);
    const found = token === null ? null : await this.sessions.find(token, storeId);
    if (found) return found;
    await this.budgets.spendRefusedToken(call);
    throw new OperationError('invalid_token', 'You are not signed in, or your session has ended');
  }

  private async memberOf(call: Call, storeId: string): Promise<Principal> {
    const { session, membership } = await this.find(call, isUuid(storeId) ? storeId : null);
    if (!membership) {
      await this.budgets.count(call, budgetOf(session));
      throw noSuchStore();
    }
    call.auth.caller = { call, session } satisfies Caller;
    return {
      storeId: storeId.toLowerCase(),
      currency: membership.currency,
      scope: scopeOf(membership.role),
      groups: membership.groups,
      actor: { kind: 'user', id: session.userId, name: session.email },
      budgetKey: budgetOf(session),
      refusal: suspension(membership),
    };
  }
}

/** A person's budget is the same in every store and browser (docs/behaviour.md §2.3). */
const budgetOf = ({ userId }: Session) => `user:${userId}`;
