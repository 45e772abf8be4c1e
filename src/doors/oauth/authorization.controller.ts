import { Controller, Get, HttpCode, Inject, Options, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { invalidInput, OperationError } from '../../platform/errors.js';
import { BudgetKeeper } from '../../platform/rate-limit/budget-keeper.js';
import { SCOPES } from '../../platform/store/principal.js';
import { registrationLimits } from '../../people/attempt-limits.js';
import { Attempts } from '../../people/attempts.service.js';
import { AllowedHostGuard } from '../mcp/allowed-host.guard.js';
import { AuthorizationServer } from './authorization-server.service.js';
import { clientMetadata } from '../../people/client-metadata.js';
import { formText, libraryRequest, refuseNul } from './library-request.js';
import { OauthErrorFilter } from './oauth-error.filter.js';

const METADATA = ['.well-known/oauth-authorization-server', '.well-known/openid-configuration'];
const FOR_PROGRAMS = [...METADATA, 'oauth/token', 'oauth/revoke', 'oauth/register'];
const MAX_REGISTRATION_BYTES = 16 * 1024;

/** What apps ask of the authorization server; the library answers, after what it leaves out was checked (docs/behaviour.md §15). */
@Controller()
@UseGuards(AllowedHostGuard)
@UseFilters(OauthErrorFilter)
export class AuthorizationController {
  /** Of BASE_URL. */
  private readonly prefix: string;

  constructor(
    private readonly server: AuthorizationServer,
    private readonly attempts: Attempts,
    private readonly budgets: BudgetKeeper,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.prefix = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  }

  /** Where BASE_URL has a path of its own, clients also ask at the origin, with that path at the end. */
  @Get(METADATA.flatMap((path) => [path, `${path}/*issuer`]))
  async metadata(@Req() request: Request, @Res() response: Response): Promise<void> {
    const path = METADATA.find((known) => request.path === `/${known}` || request.path === `/${known}${this.prefix}`);
    if (!path) throw new OperationError('not_found', 'There is nothing at this path');
    await this.hand(request, response, { url: `/${path}` });
  }

  /** Browsers ask before they call; what pages may call is AllowedHostGuard's to say. No cookie of ours is sent along. */
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
    await this.hand(request, response, { url: withLowerScopes(request.url) });
  }

  /** Where the browser comes back to from our page. */
  @Get(['oauth/authorize/:uid', 'oauth/jwks'])
  async resume(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.hand(request, response);
  }

  @Post(['oauth/token', 'oauth/revoke'])
  async token(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.budgets.spendAddress(request.call, 'oauth-token', 'requests for tokens');
    const body = await formText(request);
    if (body === null) throw invalidInput('The body must be a form (application/x-www-form-urlencoded) of at most 16 KiB');
    await this.hand(request, response, { body });
  }

  @Post('oauth/register')
  async register(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.config.oauth.dynamicRegistration) throw new OperationError('not_found', 'There is nothing at this path');
    const { call } = request;
    await this.attempts.count(call, registrationLimits(call.address));
    if (Buffer.isBuffer(request.body) && request.body.length > MAX_REGISTRATION_BYTES) {
      throw invalidInput('The body must not be larger than 16 KiB');
    }
    const { client_id: _, client_secret: __, ...metadata } = clientMetadata(call.body());
    await this.hand(request, response, { body: JSON.stringify(metadata) });
  }

  private async hand(request: Request, response: Response, { url, body }: { url?: string; body?: string } = {}): Promise<void> {
    await this.server.answer(libraryRequest(request, this.config.baseUrl, { url, body }), response);
  }
}

/**
 * Whoever asks for a scope asks for those it includes, so that a person can grant less. What is no scope of ours falls away, and who
 * asks for nothing asks to read. A scope given twice is left to the library, which refuses it.
 */
export function withLowerScopes(url: string): string {
  const parsed = new URL(url, 'http://localhost');
  const asked = parsed.searchParams.getAll('scope');
  if (asked.length < 2) {
    const names = (asked[0] ?? '').split(' ');
    const highest = Math.max(
      0,
      SCOPES.findLastIndex((scope) => names.includes(scope)),
    );
    parsed.searchParams.set('scope', SCOPES.slice(0, highest + 1).join(' '));
  }
  return parsed.pathname + parsed.search;
}
