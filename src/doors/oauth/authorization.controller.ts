import {
  Controller,
  Get,
  HttpCode,
  Inject,
  Options,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { invalidInput, OperationError } from '../../platform/errors.js';
import { addressOf } from '../../platform/config/store-address.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { groupScope, groupsOfScopes, SCOPES, scopesUpTo } from '../../access/rights.js';
import { registrationLimits } from '../../people/sign-in/attempt-limits.js';
import { Attempts } from '../../people/sign-in/attempts.service.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { narrowingOf } from '../mcp/tool-selection.js';
import { AllowedHostGuard } from '../mcp/allowed-host.guard.js';
import { AuthorizationServer } from './authorization-server.service.js';
import { clientMetadata } from '../../people/apps/client-metadata.js';
import { formText, libraryRequest, refuseNul } from './library-request.js';
import { OauthErrorFilter } from './oauth-error.filter.js';
import { ASKED, ASKED_GROUPS, NARROWED, queryOfAsked, withoutResourceQueries } from './resources.js';

const METADATA = ['.well-known/oauth-authorization-server', '.well-known/openid-configuration'];
const FOR_PROGRAMS = [...METADATA, 'oauth/token', 'oauth/revoke', 'oauth/register'];
const MAX_REGISTRATION_BYTES = 16 * 1024;

/**
 * The requests of apps to the authorization server. The library answers them, after checks that it does not
 * make (docs/behaviour.md §15).
 */
@Controller()
@UseGuards(AllowedHostGuard)
@UseFilters(OauthErrorFilter)
export class AuthorizationController {
  /** The path of BASE_URL, without a slash at the end. */
  private readonly prefix: string;

  constructor(
    private readonly server: AuthorizationServer,
    private readonly attempts: Attempts,
    private readonly budgets: BudgetGuard,
    private readonly operations: OperationRegistry,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.prefix = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  }

  /** If BASE_URL has a path, clients also request the metadata at the origin, with that path at the end. */
  @Get(METADATA.flatMap((path) => [path, `${path}/*issuer`]))
  async metadata(@Req() request: Request, @Res() response: Response): Promise<void> {
    const path = METADATA.find(
      (known) => request.path === `/${known}` || request.path === `/${known}${this.prefix}`,
    );
    if (!path) throw new OperationError('not_found', 'There is nothing at this path');
    await this.forward(request, response, { url: `/${path}` });
  }

  /**
   * Browsers send this before they call. AllowedHostGuard decides which pages may call. Cookies are not
   * included in such calls.
   */
  @Options(FOR_PROGRAMS)
  @HttpCode(204)
  describe(@Res({ passthrough: true }) response: Response): void {
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
    response.setHeader('Access-Control-Allow-Headers', 'Content-Type, MCP-Protocol-Version');
  }

  @Get('oauth/authorize')
  async authorize(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.budgets.spendAddress(request.call, 'oauth-authorize', 'requests for access');
    refuseNul(request.url);
    const url = normalizedUrl(request.url, this.addressOf(request), this.operations);
    await this.forward(request, response, { url });
  }

  /** The browser returns here from the consent page. */
  @Get(['oauth/authorize/:uid', 'oauth/jwks'])
  async resume(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.budgets.spendAddress(request.call, 'oauth-resume', 'returns from the consent page');
    // It takes no parameters.
    await this.forward(request, response, { url: request.path });
  }

  @Post(['oauth/token', 'oauth/revoke'])
  async token(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.budgets.spendAddress(request.call, 'oauth-token', 'requests for tokens');
    const body = await formText(request);
    if (body === null)
      throw invalidInput('The body must be a form (application/x-www-form-urlencoded) of at most 16 KiB');
    await this.forward(request, response, { body: withoutResourceQueries(this.addressOf(request), body) });
  }

  @Post('oauth/register')
  async register(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.config.oauth.dynamicRegistration)
      throw new OperationError('not_found', 'There is nothing at this path');
    const { call } = request;
    await this.attempts.count(call, registrationLimits(call.address));
    const {
      client_id: _,
      client_secret: __,
      client_secret_expires_at: ___,
      ...metadata
    } = clientMetadata(await call.body(undefined, MAX_REGISTRATION_BYTES));
    // Hosts such as claude.ai request a secret whenever they register, and work without one if the answer
    // says so (RFC 7591 §3.2.1).
    await this.forward(request, response, {
      body: JSON.stringify({ ...metadata, token_endpoint_auth_method: 'none' }),
    });
  }

  private async forward(
    request: Request,
    response: Response,
    { url, body }: { url?: string; body?: string } = {},
  ): Promise<void> {
    await this.server.answer(libraryRequest(request, this.addressOf(request), { url, body }), response);
  }

  private addressOf = ({ headers }: Request): string => addressOf(this.config, headers.host);
}

/**
 * Parameters that OpenID adds to a request. The library refuses them if the scope `openid` is not requested.
 */
const OPENID_PARAMETERS = ['acr_values', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

/**
 * Rewrites the request so that the library accepts it. A scope is extended by those it includes, so that a
 * person can grant less; who asks to change, or for nothing known, may also be given everything by an owner,
 * because most clients cannot ask for more than the challenge names; the token then names what was asked.
 * Unknown scopes and parameters of OpenID
 * are removed, because a server ignores parameters that it does not understand (RFC 6749 §3.1). A repeated
 * scope parameter is left to the library, which refuses it.
 */
function normalizedUrl(url: string, baseUrl: string, operations: OperationRegistry): string {
  const parsed = new URL(url, 'http://localhost');
  const narrowed = queryOfAsked(baseUrl, parsed.search);
  // An unknown tool is refused before the person is asked.
  narrowingOf(narrowed, operations);
  parsed.search = withoutResourceQueries(baseUrl, parsed.search);
  for (const name of OPENID_PARAMETERS) parsed.searchParams.delete(name);
  for (const name of [NARROWED, ASKED, ASKED_GROUPS]) parsed.searchParams.delete(name);
  if (narrowed !== '') parsed.searchParams.set(NARROWED, narrowed);
  const asked = parsed.searchParams.getAll('scope');
  if (asked.length < 2) {
    const names = (asked[0] ?? '').split(' ').filter(Boolean);
    const highest = SCOPES.findLast((scope) => names.includes(scope));
    const groups = groupsOfScopes(names);
    const scopes = [...scopesUpTo(highest === 'read' ? 'read' : 'admin'), ...groups.map(groupScope)];
    parsed.searchParams.set('scope', scopes.join(' '));
    if (groups.length > 0) parsed.searchParams.set(ASKED_GROUPS, groups.join(','));
    parsed.searchParams.set(ASKED, highest ?? (names.length === 0 ? 'write' : 'read'));
  }
  return parsed.pathname + parsed.search;
}
