import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { isUuid } from '../../platform/schema/formats.js';
import { forbidden, noSuchStore, OperationError } from '../../platform/errors.js';
import { BudgetKeeper } from '../../platform/rate-limit/budget-keeper.js';
import { endpointOf } from '../../platform/call/endpoint.js';
import type { Caller } from './caller.js';
import { mediaType } from '../../platform/call/input.js';
import { Cookies } from './cookies.js';
import { Sessions } from '../../people/sessions.service.js';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Finds out who calls: 403 for a request another site made, 401 without a session, 404 for a store the user is no member of, just as
 * for one that does not exist. An owner becomes a principal of scope admin, a member of staff one of scope write (docs/behaviour.md §10).
 */
@Injectable()
export class SessionGuard implements CanActivate {
  private readonly origin: string;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly sessions: Sessions,
    private readonly budgets: BudgetKeeper,
    private readonly cookies: Cookies,
  ) {
    this.origin = new URL(config.baseUrl).origin;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { call } = request;
    call.transport = 'dashboard';
    // Answers hold secrets that are shown once: no cache may keep them.
    call.setHeader('Cache-Control', 'no-store');
    const endpoint = endpointOf(context.getHandler());
    this.refuseOtherSites(request, endpoint?.file?.types);
    call.caller = { call, session: null } satisfies Caller;
    const { access } = endpoint ?? {};
    if (access === 'public') return true;
    if (access === 'optional') {
      // A cookie whose session has ended is as none: its owner cannot take it off themselves.
      const token = this.cookies.sessionOf(call);
      const found = token === null ? null : await this.sessions.find(token, null);
      if (found) call.caller = { call, session: found.session } satisfies Caller;
      return true;
    }
    const { storeId } = request.params;
    await this.identify(request, typeof storeId === 'string' ? storeId : null);
    return true;
  }

  /**
   * SameSite=Strict keeps the cookie from other sites' requests already; this holds where a browser does not (or a sibling host asks).
   * @param files types of files that the page takes; a form cannot send a body of such a type, and a script of another site must ask first
   */
  private refuseOtherSites({ method, headers }: Request, files: readonly string[] = []): void {
    if (SAFE_METHODS.has(method)) return;
    if (headers.origin !== undefined && headers.origin !== this.origin) {
      throw forbidden(`The dashboard takes requests of ${this.origin} only`);
    }
    // What a form of another site can send. Without a body there is no type to name, and the origin has decided.
    const type = headers['content-type'];
    if (type === undefined || files.includes(mediaType(type))) return;
    if (!/^application\/json\s*(;|$)/i.test(type)) throw forbidden('Content-Type must be application/json');
  }

  private async identify(request: Request, storeId: string | null): Promise<void> {
    const { call } = request;
    const token = this.cookies.sessionOf(call);
    const found = token === null ? null : await this.sessions.find(token, storeId !== null && isUuid(storeId) ? storeId : null);
    if (!found) {
      await this.budgets.spendRefusedToken(call);
      throw new OperationError('invalid_token', 'You are not signed in, or your session has ended');
    }
    const { session, membership } = found;
    call.caller = { call, session } satisfies Caller;
    const budgetKey = `user:${session.userId}`;
    if (!membership) await this.budgets.report(call, budgetKey);
    if (storeId === null) return;
    if (!membership) throw noSuchStore();
    call.principal = {
      storeId: storeId.toLowerCase(),
      currency: membership.currency,
      scope: membership.role === 'owner' ? 'admin' : 'write',
      actor: { kind: 'user', id: session.userId, name: session.email },
      budgetKey,
    };
  }
}
