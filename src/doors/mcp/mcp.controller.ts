import { All, Controller, HttpCode, Inject, Options, Post, Req, Res, UseGuards } from '@nestjs/common';
import { INVALID_REQUEST, isJsonContentType, PARSE_ERROR } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { signInChallenge } from '../../platform/auth/challenge.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { queryOf } from '../../platform/text/url.js';
import { TokenGuard } from '../../platform/call/token.guard.js';
import { AnswersItself } from '../../platform/call/endpoint.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { asRefusal } from '../../platform/errors.js';
import { TooDeep } from '../../platform/schema/json/parse-input.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { addressOf } from '../../platform/config/store-address.js';
import { AllowedHostGuard } from './allowed-host.guard.js';
import { parseMessage } from './message.js';
import { McpServing } from './mcp-serving.js';
import { type Narrowing, narrowingOf } from './tool-selection.js';

/** Of those that JSON-RPC leaves to servers; the protocol keeps -32020 to -32099 for itself. */
const RATE_LIMITED = -32_010;

const METHODS = 'POST, OPTIONS';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, ' +
  'Last-Event-ID, X-Request-Id';

/** Streamable HTTP without sessions: each POST is one message (docs/behaviour.md §8). */
@Controller('mcp')
@UseGuards(AllowedHostGuard)
export class McpController {
  constructor(
    private readonly serving: McpServing,
    private readonly operations: OperationRegistry,
    private readonly budgets: BudgetGuard,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @UseGuards(TokenGuard)
  @AnswersItself()
  async serve(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!isJsonContentType(request.headers['content-type'])) {
      return this.refuse(request, response, 415, INVALID_REQUEST, 'Content-Type must be application/json');
    }
    let message: unknown;
    let narrowing: Narrowing;
    try {
      narrowing = narrowingOf(request.url, this.operations);
    } catch (error) {
      return this.refuse(
        request,
        response,
        400,
        INVALID_REQUEST,
        asRefusal(error)?.message ?? 'The URL could not be read',
      );
    }
    const { principal } = request.call.auth;
    if (narrowing.storeId !== null && narrowing.storeId !== principal!.storeId) {
      // An app then asks its person for the store of this address.
      if (principal!.consent)
        response.setHeader(
          'WWW-Authenticate',
          signInChallenge(addressOf(this.config, request.headers.host), '/mcp', queryOf(request.url), true),
        );
      const status = principal!.consent ? 401 : 403;
      return this.refuse(request, response, status, INVALID_REQUEST, 'This token is for another store');
    }
    try {
      message = await request.call.body((text) =>
        parseMessage(text, (tool) => this.operations.find(tool)?.input),
      );
    } catch (error) {
      return this.refuse(
        request,
        response,
        400,
        error instanceof TooDeep ? INVALID_REQUEST : PARSE_ERROR,
        asRefusal(error)?.message ?? 'The body could not be read',
      );
    }
    // The protocol has had no batches since 2025-06-18, and one would count as a single call.
    if (Array.isArray(message)) {
      return this.refuse(
        request,
        response,
        400,
        INVALID_REQUEST,
        'Batches are not supported: send one message',
      );
    }
    try {
      await this.serving.serve(request, response, message, narrowing);
    } catch (error) {
      const refusal = asRefusal(error);
      if (refusal?.code !== 'rate_limited') throw error;
      const { id = null } = message as { id?: unknown };
      response
        .status(refusal.status)
        .json({ jsonrpc: '2.0', id, error: { code: RATE_LIMITED, message: refusal.message } });
    }
  }

  /** Browsers send this before they call. AllowedHostGuard decides which pages may call. */
  @Options()
  @HttpCode(204)
  describe(@Res({ passthrough: true }) response: Response): void {
    response.setHeader('Allow', METHODS);
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
  }

  /** Refuses other methods, because there is no stream to open and no session to end. */
  @All()
  @UseGuards(TokenGuard)
  async refuseMethod(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.setHeader('Allow', METHODS);
    await this.refuse(
      request,
      response,
      405,
      INVALID_REQUEST,
      'Only POST is supported: this server keeps no sessions',
    );
  }

  private async refuse(
    request: Request,
    response: Response,
    status: number,
    code: number,
    message: string,
  ): Promise<void> {
    await this.budgets.report(request.call);
    response.status(status).json({ jsonrpc: '2.0', id: null, error: { code, message } });
  }
}
