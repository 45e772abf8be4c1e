import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { consentChallenge } from '../auth/challenge.js';
import { CONFIG, type Config } from '../config/config.js';
import { writeAudit } from '../store/audit.js';
import { StoreDatabase } from '../store/store-database.js';
import { callOf, operationOf } from './operation.metadata.js';
import { forbidden } from '../errors.js';
import { includesScope, type Scope } from '../store/principal.js';

/** 403 for a caller whose scope is too narrow; the refusal is audited (docs/behaviour.md §6.10). */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly database: StoreDatabase,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { scope } = callOf(context).principal!;
    const needed = operationOf(context.getHandler())!.scope;
    return includesScope(scope, needed) || this.refuse(context, needed);
  }

  private async refuse(context: ExecutionContext, needed: Scope): Promise<never> {
    const call = callOf(context);
    const { name, scope } = operationOf(context.getHandler())!;
    if (scope !== 'read') {
      const ctx = this.database.contextOf(call);
      writeAudit(ctx, { operation: name, transport: call.transport, input: {}, outcome: 'forbidden' });
      await ctx.session.commit();
    }
    // Who is signed in to the dashboard has a role, and no token: an owner may do everything, staff all but scope admin.
    if (call.transport === 'dashboard') throw forbidden(`Only the store's owner may run ${name}`);
    const challenge = consentChallenge(this.config.baseUrl, call.principal!, needed, name);
    if (challenge) call.setHeader('WWW-Authenticate', challenge);
    throw forbidden(`${name} needs a token of scope ${needed}; this one has ${call.principal!.scope}`);
  }
}
