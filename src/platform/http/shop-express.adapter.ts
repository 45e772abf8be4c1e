import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { isStream, type Stream } from '../schema/present.js';
import { invalidInput } from '../errors.js';
import { sendLarge } from './compression.js';

/** In characters. A page of 20 orders is smaller, and is sent at once. */
const LARGE = 24_576;

/** In characters. Shoppers are often on slow networks, and each waits for few answers. */
const LARGE_FOR_SHOPPERS = 1_024;

/**
 * In milliseconds. Idle connections are kept longer than most balancers keep theirs (60 s), so that no call
 * is sent on a connection that is being closed. Headers have 30 s; how long a body may take depends on what
 * it is (requests.ts), and the longest is a file.
 */
const TIMES = {
  keepAliveTimeout: 75_000,
  headersTimeout: 30_000,
  requestTimeout: 600_000,
  connectionsCheckingInterval: 5_000,
};

/**
 * Express replaces the prototype of every request and response, which makes every later property access slow
 * and costs more than the rest of Express. Here they are made by classes that already have Express's
 * prototypes (its documented `app.request` and `app.response`), so the replacement has no effect.
 */
export class ShopExpressAdapter extends ExpressAdapter {
  override initHttpServer(_options: NestApplicationOptions): void {
    const app = this.getInstance<Express>();
    class ShopRequest extends IncomingMessage {}
    class ShopResponse extends ServerResponse {}
    app.request = Object.setPrototypeOf(ShopRequest.prototype, app.request) as Request;
    app.response = Object.setPrototypeOf(ShopResponse.prototype, app.response) as Response;
    const options = {
      ...TIMES,
      IncomingMessage: ShopRequest,
      ServerResponse: ShopResponse,
      // `requests` refuses a request without a Host in words; Node's own answer has neither envelope nor
      // request id.
      requireHostHeader: false,
    };
    const server = createServer(options, app);
    server.on('clientError', refuseUnparsed);
    // Node would refuse an unknown Expect header with its own answer. A server may ignore it (RFC 9110
    // §10.1.1).
    server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
    this.httpServer = server;
  }

  /** A few endpoints answer with a stream, and some answers are large. Nest handles everything else. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (isStream(body) && !response.headersSent) return stream(response, body);
    if (typeof body === 'string' && body.length >= largeFor(response.req))
      return sendLarge(response.status(statusCode ?? response.statusCode), body);
    return super.reply(response, body, statusCode);
  }
}

/** Writes a streamed answer. A HEAD request only gets the headers. */
function stream(response: Response, { headers, write, abandon }: Stream): void {
  response.writeHead(200, headers);
  if (response.req.method !== 'HEAD') return write(response);
  abandon();
  response.end();
}

const UNPARSED: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers must not be larger than 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request was not sent in time',
};

/**
 * Answers invalid HTTP like any other bad request (docs/behaviour.md §1.1). Node's own answer has neither an
 * envelope nor a request id.
 */
function refuseUnparsed(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse | null },
): void {
  // Checks, like Node itself, whether an answer is being sent: nothing may be written into the middle of it.
  const isAnswering = socket._httpMessage?.headersSent ?? false;
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy();
  const refusal = invalidInput(UNPARSED[error.code ?? ''] ?? 'The request is not valid HTTP');
  const text = JSON.stringify(refusal.envelope());
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${randomUUID()}`,
  ];
  socket.end(
    `HTTP/1.1 ${refusal.status} Bad Request\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n${text}`,
    () => socket.destroy(),
  );
}

/** From which length on an answer to a request is compressed. */
const largeFor = ({ path }: Request) => (path.startsWith('/storefront/') ? LARGE_FOR_SHOPPERS : LARGE);
