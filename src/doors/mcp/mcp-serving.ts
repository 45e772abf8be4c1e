import { Inject, Injectable } from '@nestjs/common';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  type Implementation,
  isLegacyRequest,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { isPlainObject } from '../../platform/schema/json/parse-input.js';
import { signalOf } from '../../platform/http/drain.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { APPS_EXTENSION } from './apps/app-list.js';
import { Apps } from './apps/apps.service.js';
import { FIND_TOOLS, innerCall, isCallOf } from './compact/compact.js';
import { INSTRUCTIONS, SERVER } from './connection/instructions.js';
import { mayAsk, Tools } from './tools.js';
import { acceptsAnything, BOTH_FORMS, plainCall, type ProtocolEra } from './plain-call.js';
import { toAnswer, toResult } from './tool-answer.js';
import { type CallMessage, type CallControls, ToolCalls } from './tool-calls.js';
import { ConnectionText } from './connection/connection-text.service.js';
import { AskPerson, canAsk, type PersonAnswers } from './person.service.js';
import { categoryNames } from './prompts/category-names.js';
import { Prompts } from './prompts/prompts.service.js';
import { type Narrowing, toolSelection } from './tool-selection.js';

/** Nothing that could be subscribed to: `subscriptions/listen` is acknowledged, and its stream ends. */
const CAPABILITIES = { tools: {}, completions: {}, prompts: {}, resources: {}, extensions: APPS_EXTENSION };
/** The messages that are answered with a description of the connection. */
const CONNECTING = ['initialize', 'server/discover'];
const PLAIN = { server: SERVER, instructions: INSTRUCTIONS };
/**
 * The only revision with batches, whose servers must take them. It is not offered: its clients speak the one
 * before it, too.
 */
const [WITH_BATCHES, BEFORE_BATCHES] = ['2025-03-26', '2024-11-05'];
/** Clients ask for these when they connect. */
const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const READS = ['prompts/get', 'resources/read'];
/** What a token is offered changes only with a new version of this service. */
const LIST_TTL_MS = 300_000;

/**
 * Serves each message with a separate protocol server, so that nothing is kept between requests, and a
 * restart or another replica does not break a client. Clients of revisions up to 2025-11-25 and of 2026-07-28
 * are distinguished by their messages.
 */
@Injectable()
export class McpServing {
  constructor(
    private readonly tools: Tools,
    private readonly calls: ToolCalls,
    private readonly prompts: Prompts,
    private readonly apps: Apps,
    private readonly texts: ConnectionText,
    private readonly operations: OperationRegistry,
    private readonly budgets: BudgetGuard,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** @param narrowing what the address leaves to this client */
  async serve(
    request: HttpRequest,
    response: HttpResponse,
    message: unknown,
    narrowing: Narrowing,
  ): Promise<void> {
    const selection = toolSelection(narrowing, this.operations);
    const { outputs, compact } = narrowing;
    const inner = compact && innerCall(message);
    const isFind = compact !== null && isCallOf(message, FIND_TOOLS);
    const tool = this.calls.toolOf(message, selection, inner);
    const received = { request, response, message, selection, tool, outputs, compact, inner, isFind };
    await this.calls.refuseUngranted(received);
    if (isFind) await this.budgets.spendList(request.call);
    // The protocol's own code has the person asked.
    const isAsked = tool && (tool.asks !== undefined || (mayAsk(tool) && clientAsks(message)));
    const plain = (tool && !isAsked) || isFind ? plainCall(request.headers, message) : null;
    if (plain) {
      const controls = plain.era === 'modern' ? { signal: signalOf(response) } : {};
      const outcome = await this.calls.run(received, plain.params, controls);
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      return void response.end(toAnswer(plain, outcome));
    }
    const method = (message as { method?: unknown } | null)?.method;
    // Lists are the longest answers. Other messages that do not call an operation are free.
    if (LISTS.includes(String(method))) await this.budgets.spendList(request.call);
    else if (READS.includes(String(method))) await this.budgets.spend(request.call, 'read');
    else await this.budgets.report(request.call);
    const onerror = (err: Error) =>
      this.log.debug({ err, requestId: request.call.requestId }, 'an MCP message was refused');
    const { server, instructions } = CONNECTING.includes(String(method))
      ? await this.texts.of(request.call.auth.principal!, narrowing)
      : PLAIN;
    const build = ({ era }: { era: ProtocolEra }) => this.server(received, era, server, instructions);
    const modern = createMcpHandler(build, { legacy: 'reject', onerror });
    const fetch = async (sent: Request) => {
      const web = acceptingBoth(sent);
      return (await isLegacyRequest(web, message))
        ? serveLegacy(build({ era: 'legacy' }), web, wellFormed(message))
        : modern.fetch(web, { parsedBody: wellFormed(message) });
    };
    await toNodeHandler({ fetch }, { onerror })(request, response, message);
  }

  private server(message: CallMessage, era: ProtocolEra, info: Implementation, instructions: string): Server {
    const principal = message.request.call.auth.principal!;
    const server = new Server(info, {
      capabilities: CAPABILITIES,
      instructions,
      // The instructions say what time it is.
      cacheHints: { 'server/discover': { ttlMs: 0, cacheScope: 'private' } },
    });
    const { selection } = message;
    // A person may widen a grant at any time.
    const cached = { ttlMs: principal.consent ? 0 : LIST_TTL_MS, cacheScope: 'private' as const };
    server.setRequestHandler('tools/list', () => ({
      tools: message.compact
        ? this.tools.compact(principal, selection, message.compact)
        : this.tools.list(principal, selection, message.outputs),
      ...cached,
    }));
    this.offer(server, message, cached);
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const controls = controlsOf(params._meta?.progressToken, mcpReq, era);
      try {
        return toResult(await this.calls.run(message, params, controls, answersOf(mcpReq, era)));
      } catch (thrown) {
        if (thrown instanceof AskPerson) return thrown.result;
        throw thrown;
      }
    });
    return server;
  }

  /** What a client offers beside the tools: prompts, and pages for results. */
  private offer(server: Server, { request, selection, message }: CallMessage, cached: Cached): void {
    const principal = request.call.auth.principal!;
    const { params } = message as { params: unknown };
    server.setRequestHandler('prompts/list', () => ({
      prompts: this.prompts.list(principal, selection),
      ...cached,
    }));
    server.setRequestHandler('completion/complete', ({ params: asked }) =>
      this.prompts.complete(principal, selection, asked, () => categoryNames(this.operations, request.call)),
    );
    server.setRequestHandler('prompts/get', () => this.prompts.get(principal, selection, params));
    server.setRequestHandler('resources/list', () => ({
      resources: this.apps.list(principal, selection),
      ...cached,
    }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [], ...cached }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
      ...this.apps.read(principal, selection, uri),
      ...cached,
    }));
  }
}

interface Params {
  arguments?: unknown;
  protocolVersion?: unknown;
}

/** Whether the message says that its client can ask its person. */
const clientAsks = (message: unknown): boolean => {
  const { params } = message as { params?: { _meta?: Record<string, unknown> } };
  return canAsk(params?._meta?.[CLIENT_CAPABILITIES_META_KEY]);
};

/** How long a client may keep an answer. */
interface Cached {
  ttlMs: number;
  cacheScope: 'private';
}

/** Since 2026-07-28 a call says whether its client can ask, and brings the answer. */
function answersOf(
  { envelope, inputResponses, requestState }: ServerContext['mcpReq'],
  era: ProtocolEra,
): PersonAnswers {
  return {
    canAsk:
      era === 'modern' &&
      canAsk((envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]),
    responses: inputResponses,
    state: requestState(),
  };
}

/**
 * The message as the protocol's code takes it. Arguments that are no object, and those of a prompt, are
 * checked where they are used, which refuses them in a sentence; that code would answer with a dump of its
 * own checks.
 */
function wellFormed(message: unknown): unknown {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: Params };
  if (method === 'initialize' && params?.protocolVersion === WITH_BATCHES)
    return { ...(message as object), params: { ...params, protocolVersion: BEFORE_BATCHES } };
  if ((method !== 'tools/call' && method !== 'prompts/get') || !isPlainObject(params)) return message;
  if (params.arguments === undefined) return message;
  if (method === 'tools/call' && isPlainObject(params.arguments)) return message;
  return { ...(message as object), params: { ...params, arguments: {} } };
}

/** The protocol's own code requires both forms in the Accept header. */
function acceptingBoth(sent: Request): Request {
  if (!acceptsAnything(sent.headers.get('accept'))) return sent;
  const headers = new Headers(sent.headers);
  headers.set('accept', BOTH_FORMS);
  return new Request(sent.url, { method: sent.method, headers, signal: sent.signal });
}

/**
 * Answers JSON, or a stream if the caller waits for progress. The limits are in headers, and those of a
 * stream are sent before the call.
 */
async function serveLegacy(server: Server, web: Request, message: unknown): Promise<Response> {
  const { params } = message as { params?: { _meta?: { progressToken?: unknown } } };
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: params?._meta?.progressToken === undefined,
  });
  await server.connect(transport);
  return transport.handleRequest(web, { parsedBody: message });
}

/** Since 2026-07-28 closing the connection cancels the call. Before that it had no meaning. */
function controlsOf(
  progressToken: string | number | undefined,
  protocol: ServerContext['mcpReq'],
  era: ProtocolEra,
): CallControls {
  return {
    ...(era === 'modern' ? { signal: () => protocol.signal } : {}),
    ...(progressToken === undefined ? {} : { progress: progressTo(protocol, progressToken) }),
  };
}

function progressTo(
  protocol: ServerContext['mcpReq'],
  progressToken: string | number,
): CallControls['progress'] {
  return (progress, total) => {
    // A caller that has disconnected needs no progress.
    protocol
      .notify({ method: 'notifications/progress', params: { progressToken, progress, total } })
      .catch(() => undefined);
  };
}
