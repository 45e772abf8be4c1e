import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse, createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Streamed } from '../call/streamed.js';
import { invalidInput } from '../errors.js';

/**
 * In milliseconds. Idle connections are kept longer than most balancers keep theirs (60 s), so that no call
 * is sent on a connection that is being closed. The limit for a request's headers must be higher than that.
 */
const KEEP_ALIVE = { keepAliveTimeout: 75_000, headersTimeout: 80_000 };

type Constructor = (this: unknown, ...args: unknown[]) => void;

/**
 * Express replaces the prototype of every request and response, which slows down every later property access
 * and costs more than the rest of Express. Here they are created with Express's prototypes, so the
 * replacement has no effect. Their constructors inherit from Node's, as a class would, because V8 uses that
 * chain to estimate the number of an object's properties.
 */
export class ShopExpressAdapter extends ExpressAdapter {
  override initHttpServer(_options: NestApplicationOptions): void {
    const app = this.getInstance<{ request: object; response: object }>();
    function Request(this: unknown, socket: unknown) {
      (IncomingMessage as unknown as Constructor).call(this, socket);
    }
    Request.prototype = app.request;
    Object.setPrototypeOf(Request, IncomingMessage);
    function Answer(this: unknown, request: unknown, options: unknown) {
      (ServerResponse as unknown as Constructor).call(this, request, options);
      (this as Gathering)[GATHERED] = [];
    }
    Answer.prototype = app.response;
    Object.setPrototypeOf(Answer, ServerResponse);
    for (const name of BY_HEADERS) {
      const method = ServerResponse.prototype[name] as (...args: unknown[]) => unknown;
      const settled = function (this: ServerResponse, ...args: unknown[]) {
        settle(this);
        return method.apply(this, args);
      };
      Object.assign(app.response, { [name]: settled });
    }
    // `requests` refuses a request without a Host in words; Node's own answer has neither envelope nor
    // request id.
    const settings = { ...KEEP_ALIVE, requireHostHeader: false };
    const options = {
      IncomingMessage: Request,
      ServerResponse: Answer,
      ...settings,
    } as unknown as Parameters<typeof createServer>[0];
    this.httpServer = createServer(options, app as unknown as Parameters<typeof createServer>[1]) as Server;
    this.httpServer.on('clientError', refuseUnparsed);
    // Node would refuse an unknown Expect header with its own answer. A server may ignore it (RFC 9110
    // §10.1.1).
    this.httpServer.on(
      'checkExpectation',
      (request, response) => void this.httpServer.emit('request', request, response),
    );
  }

  /** Skips Express's check of the status code, which comes from a declaration. */
  override status(response: Response, statusCode: number): unknown {
    response.statusCode = statusCode;
    return response;
  }

  /**
   * Operations answer with finished JSON text, and a few endpoints with a stream. Nest handles everything
   * else.
   */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof Streamed && !response.headersSent) return stream(response, body);
    if (typeof body !== 'string' || response.headersSent) return super.reply(response, body, statusCode);
    return sendJson(response, body, statusCode);
  }
}

/** Writes a streamed answer. A HEAD request only gets the headers. */
function stream(response: Response, { headers, write, abandon }: Streamed): void {
  response.writeHead(200, headers);
  if (response.req.method !== 'HEAD') return write(response);
  abandon();
  response.end();
}

/** Answers with finished JSON text. */
export function sendJson(response: Response, text: string, statusCode = 200): void {
  const gathered = (response as Gathering)[GATHERED];
  const length = String(Buffer.byteLength(text));
  if (gathered) {
    (response as Gathering)[GATHERED] = null;
    gathered.push('Content-Type', JSON_TYPE, 'Content-Length', length);
    ServerResponse.prototype.writeHead.call(response, statusCode, gathered as string[]);
  } else {
    response.writeHead(statusCode, { 'Content-Type': JSON_TYPE, 'Content-Length': length });
  }
  // A string, not its bytes: Node then sends head and body in one piece.
  response.end(text);
}

const JSON_TYPE = 'application/json; charset=utf-8';

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
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${randomUUID()}`,
  ];
  socket.end(
    `HTTP/1.1 ${refusal.status} Bad Request\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n${text}`,
    () => socket.destroy(),
  );
}

/**
 * The collected headers of an answer, as names and values in turn, until something else needs the headers.
 */
const GATHERED = Symbol('gathered headers');
type Gathering = { [GATHERED]?: (string | string[])[] | null };

/** The methods of a response that use its headers. */
const BY_HEADERS = [
  ...([
    'setHeader',
    'appendHeader',
    'removeHeader',
    'getHeader',
    'getHeaders',
    'getHeaderNames',
    'hasHeader',
  ] as const),
  'writeHead',
] as const;

/**
 * Sets a header. Node checks and stores each header when it is set, and again when the head is written.
 * Collected headers are passed to the head by `sendJson` directly.
 */
export function gatherHeader(response: ServerResponse, name: string, value: string | string[]): void {
  const gathered = (response as Gathering)[GATHERED];
  if (!gathered) return void response.setHeader(name, value);
  for (let i = 0; i < gathered.length; i += 2)
    if (gathered[i] === name) return void (gathered[i + 1] = value);
  gathered.push(name, value);
}

/** Passes the collected headers to Node, because something else reads or sets headers. */
function settle(response: ServerResponse): void {
  const gathered = (response as Gathering)[GATHERED];
  if (!gathered) return;
  (response as Gathering)[GATHERED] = null;
  for (let i = 0; i < gathered.length; i += 2) response.setHeader(gathered[i] as string, gathered[i + 1]);
}

type Listener = (request: Request, response: Response, next: NextFunction) => unknown;

/** The needed part of a layer of Express's router: a route, or middleware before routes. */
interface Layer {
  route?: Route;
  match(path: string): unknown;
}

interface Route {
  path: unknown;
  stack: { method?: string; handle: Listener }[];
}

/** A path without parameters and patterns. */
const FIXED = /^[\w/.-]+$/;

/**
 * Finds the routes of fixed paths with one look-up, while Express would try up to three hundred routes one
 * after the other. Anything that is not found here, such as a path with a parameter or an unknown method, is
 * left to Express.
 */
export class RouteTable {
  private readonly routes = new Map<string, { route: Route; handle: Listener }>();

  /** To be registered after all middleware that sees every request. */
  readonly lookUp: Listener = (request, response, next) => {
    const { method, url } = request;
    const query = url.indexOf('?');
    const found = this.routes.get(`${method} ${query < 0 ? url : url.slice(0, query)}`);
    if (!found) return next();
    // Set as Express's router does, for code that reads it, such as the metrics.
    Object.assign(request, { route: found.route });
    return found.handle(request, response, next);
  };

  /**
   * Takes over the routes that Express has. Of several routes with the same method and path the first counts,
   * as in Express. A path for which other middleware comes before its route is left to Express.
   */
  read({ stack }: { stack: Layer[] }): void {
    const from = stack.findIndex((layer) => (layer as { handle?: unknown }).handle === this.lookUp);
    const seen: Layer[] = [];
    for (const layer of stack.slice(from + 1)) {
      if (!layer.route || !this.add(layer.route, seen)) seen.push(layer);
    }
  }

  /** @returns whether a look-up finds the route, or an earlier one that answers in its place */
  private add(route: Route, seen: Layer[]): boolean {
    const { path, stack } = route;
    if (typeof path !== 'string' || !FIXED.test(path) || seen.some((layer) => layer.match(path)))
      return false;
    const [{ method, handle }, ...others] = stack;
    if (!method || others.length > 0) return false;
    const key = `${method.toUpperCase()} ${path}`;
    if (!this.routes.has(key)) this.routes.set(key, { route, handle });
    return true;
  }
}
