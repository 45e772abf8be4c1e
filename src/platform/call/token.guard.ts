import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { OperationError } from '../errors.js';
import { queryOfResource, signInChallenge } from '../auth/challenge.js';
import { ClientTokens } from '../auth/client-tokens.js';
import { PREFIXES } from '../auth/token.js';
import { TokenRegistry } from '../auth/token-registry.js';
import { CONFIG, type Config } from '../config/config.js';
import { addressOf } from '../config/store-address.js';
import { allowAnyOrigin } from './cors.js';
import { BudgetGuard } from '../rate-limit/budget.guard.js';
import { GUARDED } from './scope.guard.js';
import type { Call, Principal, Resource } from '../store/call.js';

/**
 * Identifies the caller by token, or refuses with 401. Limits guesses per address (docs/behaviour.md §2.3).
 */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly tokens: TokenRegistry,
    private readonly clients: ClientTokens,
    private readonly budgets: BudgetGuard,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const { call, route, url } = http.getRequest<Request & { route: { path: string } }>();
    if (call.auth.principal !== undefined) return true;
    // The route decides, not the request's URL, which may have a host before the path.
    const resource = route.path.startsWith('/mcp') ? '/mcp' : '/v1';
    // MCP decides on origins itself (doors/mcp/allowed-host.guard.ts).
    if (call.headers.origin !== undefined && resource === '/v1') allowAnyOrigin(http.getResponse());
    if (resource === '/mcp' || GUARDED.get(context.getHandler())?.endpoint.list === 'feed')
      call.auth.identity = new TokenIdentity(this, call, resource, url);
    const found = this.authenticate(call, resource, url);
    if (found instanceof Promise) return letIn(call, found);
    call.auth.principal = found;
    return true;
  }

  /** @throws OperationError invalid_token, or rate_limited after too many refused tokens from one address */
  authenticate(call: Call, resource: Resource, url: string): Principal | Promise<Principal> {
    const [, token] = /^Bearer +([^\s]+)$/i.exec(call.headers.authorization ?? '') ?? [];
    const found = token === undefined ? null : this.find(token, resource, call);
    const decide = (principal: Principal | null) =>
      principal ? this.admit(call, principal, resource, url) : this.refuse(call, resource, url);
    return found instanceof Promise ? found.then(decide) : decide(found);
  }

  /** The prefix shows an app's token. Any other token can only be an API token. */
  private find(
    token: string,
    resource: Resource,
    { headers }: Call,
  ): Principal | null | Promise<Principal | null> {
    return token.startsWith(PREFIXES.access)
      ? this.clients.find(token, resource, addressOf(this.config, headers.host))
      : this.tokens.find(token);
  }

  /** MCP has messages that are no calls of operations; a barred caller may send none of them. */
  private admit(call: Call, principal: Principal, resource: Resource, url: string): Principal {
    if (resource === '/mcp' && principal.refusal !== undefined) {
      // The request is logged and counted as one of its store.
      call.auth.principal = principal;
      throw principal.refusal;
    }
    const { consent } = principal;
    const query = consent ? queryOfResource(resource, url) : '';
    return consent && query !== '' ? { ...principal, consent: { ...consent, query } } : principal;
  }

  private async refuse(call: Call, resource: Resource, url: string): Promise<never> {
    await this.budgets.spendRefusedToken(call);
    const isTokenBad = call.headers.authorization !== undefined;
    if (this.config.oauth.enabled) {
      const address = addressOf(this.config, call.headers.host);
      const query = queryOfResource(resource, url);
      call.setHeader('WWW-Authenticate', signInChallenge(address, resource, query, isTokenBad));
    }
    throw new OperationError('invalid_token', 'The bearer token is missing, malformed, expired or revoked');
  }
}

/**
 * Only for callers that may wait. It is no closure: one of every call outlives the call in the heap's young
 * generation, and takes the whole request along, which is a quarter of the time of get_order.
 */
class TokenIdentity {
  constructor(
    private readonly guard: TokenGuard,
    private readonly call: Call,
    private readonly resource: Resource,
    private readonly url: string,
  ) {}

  find(): Principal | Promise<Principal> {
    return this.guard.authenticate(this.call, this.resource, this.url);
  }
}

async function letIn(call: Call, found: Promise<Principal>): Promise<true> {
  call.auth.principal = await found;
  return true;
}
