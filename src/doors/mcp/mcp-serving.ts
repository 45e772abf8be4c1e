import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { signalOf } from '../../platform/http/drain.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { INSTRUCTIONS, SERVER } from './instructions.js';
import { acceptsAnything, BOTH_FORMS, plainCall, type ProtocolEra } from './plain-call.js';
import { toAnswer, toResult } from './tool-answer.js';
import { type CallMessage, type CallControls, ToolCalls } from './tool-calls.js';
import type { ToolSelection } from './tool-selection.js';
import { Tools } from './tools.js';

const CAPABILITIES = { tools: {} };
/** The most open streams of subscribers, for all tokens together. */
const MAX_SUBSCRIPTIONS = 256;
/** A token's tools change only with a new version of this service. */
const LIST_TTL_MS = 300_000;

/**
 * Serves each message with a separate protocol server, so that nothing is kept between requests, and a
 * restart or another replica does not break a client. Clients of revisions up to 2025-11-25 and of 2026-07-28
 * are distinguished by their messages.
 */
@Injectable()
export class McpServing implements OnModuleDestroy {
  /**
   * In revision 2026-07-28 clients can listen for changes. There are none, so their streams only have to be
   * ended at a stop.
   */
  private readonly subscriptions = createMcpHandler(
    () => new Server(SERVER, { capabilities: CAPABILITIES }),
    {
      legacy: 'reject',
      maxSubscriptions: MAX_SUBSCRIPTIONS,
    },
  );

  constructor(
    private readonly tools: Tools,
    private readonly calls: ToolCalls,
    private readonly budgets: BudgetGuard,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** @param selection the tools that are available to this client */
  async serve(
    request: HttpRequest,
    response: HttpResponse,
    message: unknown,
    selection: ToolSelection,
  ): Promise<void> {
    const tool = this.calls.toolOf(message, selection);
    const received = { request, response, message, selection, tool };
    await this.calls.refuseUngranted(received);
    const plain = plainCall(request.headers, message);
    if (plain && tool) {
      const controls = plain.era === 'modern' ? { signal: signalOf(response) } : {};
      const outcome = await this.calls.run(received, plain.params, controls);
      return void response.type('json').send(toAnswer(plain, outcome));
    }
    // The list is the longest answer, so it counts as a read. Other messages that do not call an operation
    // are free.
    if ((message as { method?: unknown } | null)?.method === 'tools/list')
      await this.budgets.spend(request.call, 'read');
    else await this.budgets.report(request.call);
    const onerror = (err: Error) =>
      this.log.debug({ err, requestId: request.call.requestId }, 'an MCP message was refused');
    const build = ({ era }: { era: ProtocolEra }) => this.server(received, era);
    const isSubscription = (message as { method?: unknown } | null)?.method === 'subscriptions/listen';
    const modern = isSubscription
      ? this.subscriptions
      : createMcpHandler(build, { legacy: 'reject', onerror });
    const fetch = async (sent: Request) => {
      const web = acceptingBoth(sent);
      return (await isLegacyRequest(web, message))
        ? serveLegacy(build({ era: 'legacy' }), web, message)
        : modern.fetch(web, { parsedBody: message });
    };
    await toNodeHandler({ fetch }, { onerror })(request, response, message);
  }

  async onModuleDestroy(): Promise<void> {
    await this.subscriptions.close();
  }

  private server(message: CallMessage, era: ProtocolEra): Server {
    const server = new Server(SERVER, {
      capabilities: CAPABILITIES,
      instructions: INSTRUCTIONS,
      cacheHints: { 'server/discover': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    });
    const principal = message.request.call.principal!;
    server.setRequestHandler('tools/list', () => ({
      tools: this.tools.list(principal, message.selection),
      // A person may widen a grant at any time.
      ttlMs: principal.consent ? 0 : LIST_TTL_MS,
      cacheScope: 'private' as const,
    }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) =>
      toResult(await this.calls.run(message, params, controlsOf(params._meta?.progressToken, mcpReq, era))),
    );
    return server;
  }
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
