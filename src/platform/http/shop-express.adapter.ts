import { IncomingMessage, ServerResponse, createServer, type Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { Streamed } from '../call/streamed.js';

/**
 * Milliseconds. An idle connection is kept longer than balancers keep theirs (60 s with most), so that none of them sends a call
 * on a connection that is being closed; and the headers of a request may take longer than that.
 */
const KEEP_ALIVE = { keepAliveTimeout: 75_000, headersTimeout: 80_000 };

type Constructor = (this: unknown, ...args: unknown[]) => void;

/**
 * Express exchanges the prototype of every request and response, which makes each later property access slow and costs more
 * than the rest of Express. Here they are born with Express's prototypes, so the exchange changes nothing.
 */
export class ShopExpressAdapter extends ExpressAdapter {
  override initHttpServer(_options: NestApplicationOptions): void {
    const app = this.getInstance<{ request: object; response: object }>();
    function Request(this: unknown, socket: unknown) {
      (IncomingMessage as unknown as Constructor).call(this, socket);
    }
    Request.prototype = app.request;
    function Answer(this: unknown, request: unknown, options: unknown) {
      (ServerResponse as unknown as Constructor).call(this, request, options);
    }
    Answer.prototype = app.response;
    const options = { IncomingMessage: Request, ServerResponse: Answer, ...KEEP_ALIVE } as unknown as Parameters<
      typeof createServer
    >[0];
    this.httpServer = createServer(options, app as unknown as Parameters<typeof createServer>[1]) as Server;
  }

  /** Operations answer finished JSON text, a few pages a stream; everything else goes Nest's way. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof Streamed && !response.headersSent) return stream(response, body);
    if (typeof body !== 'string' || response.headersSent) return super.reply(response, body, statusCode);
    return sendJson(response, body, statusCode);
  }
}

/** Whoever asks for the head alone gets it. */
function stream(response: Response, { headers, write, abandon }: Streamed): void {
  response.writeHead(200, headers);
  if (response.req.method !== 'HEAD') return write(response);
  abandon();
  response.end();
}

/** Answers with finished JSON text. */
export function sendJson(response: Response, text: string, statusCode = 200): void {
  response.writeHead(statusCode, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  // A string, not its bytes: Node then sends head and body in one piece.
  response.end(text);
}
