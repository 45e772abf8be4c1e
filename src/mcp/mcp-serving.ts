import { Inject, Injectable } from '@nestjs/common';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { INSTRUCTIONS } from './instructions.js';
import { type CallMessage, ToolCalls } from './tool-calls.js';
import { Tools } from './tools.js';

const SERVER = { name: 'shop-administration', title: 'Shop administration', version: '1.0.0' };
/** A token's tools change only with a new version of this service. */
const LIST_TTL_MS = 300_000;

/**
 * Serves one message with a protocol server of its own, so that nothing is kept between requests: a restart or another replica
 * breaks no client. Clients of revisions up to 2025-11-25 and of 2026-07-28 are told apart by their messages.
 */
@Injectable()
export class McpServing {
  constructor(
    @Inject(Tools) private readonly tools: Tools,
    @Inject(ToolCalls) private readonly calls: ToolCalls,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async serve(request: HttpRequest, response: HttpResponse, message: unknown): Promise<void> {
    const onerror = (err: Error) => this.log.debug({ err, requestId: request.call.requestId }, 'an MCP message was refused');
    const build = ({ era }: Pick<McpRequestContext, 'era'>) => this.server({ request, response, message, era });
    // No subscriptions: the tools of a token never change while it is connected.
    const modern = createMcpHandler(build, { legacy: 'reject', maxSubscriptions: 0, onerror });
    const fetch = async (web: Request) =>
      (await isLegacyRequest(web, message))
        ? serveLegacy(build({ era: 'legacy' }), web, message)
        : modern.fetch(web, { parsedBody: message });
    await toNodeHandler({ fetch }, { onerror })(request, response, message);
  }

  private server(message: CallMessage): Server {
    const server = new Server(SERVER, {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'server/discover': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    });
    const { scope } = message.request.call.principal!;
    server.setRequestHandler('tools/list', () => ({
      tools: this.tools.list(scope),
      ttlMs: LIST_TTL_MS,
      cacheScope: 'private' as const,
    }));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => this.calls.run(message, params, mcpReq));
    return server;
  }
}

/** Answers JSON, and a stream only to a caller that waits for progress: limits stand in headers, and a stream's leave before the call is made. */
async function serveLegacy(server: Server, web: Request, message: unknown): Promise<Response> {
  const { params } = message as { params?: { _meta?: { progressToken?: unknown } } };
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: params?._meta?.progressToken === undefined,
  });
  await server.connect(transport);
  return transport.handleRequest(web, { parsedBody: message });
}
