import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Call } from '../store/call.js';
import { invalidInput, OperationError } from '../errors.js';
import { parseInput } from '../schema/json/parse-input.js';
import { type Logger, requestLines } from '../logging/logger.js';
import type { Drain } from './drain.js';
import type { Metrics } from '../observability/metrics.js';
import { tracer } from '../observability/tracing.js';

declare module 'express-serve-static-core' {
  interface Request {
    call: Call;
  }
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/**
 * Gives every request its call: an id, the caller's address, and the body. The body is read here, but parsed
 * only when the endpoint asks for it, so that a bad token is refused first (docs/behaviour.md §1.4). Every
 * answer has X-Request-Id and is logged once.
 */
export function requests(log: Logger, metrics: Metrics, drain: Drain, trustedProxies: number) {
  const writeLine = requestLines(log);
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && PRINTABLE.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', requestId);
    let problem: string | null = null;
    request.url = withoutBrokenEscapes(request.url);
    request.call = {
      transport: 'http',
      requestId,
      headers: request.headers,
      address: callerAddress(request, trustedProxies),
      setHeader: (name, value) => void response.setHeader(name, value),
      body: (parse = parseInput) => {
        if (problem === BUSY) response.setHeader('Retry-After', String(RETRY_SECONDS));
        return parsed(bodyText(request, problem), parse);
      },
      bytes: (max) => readBytes(request, max),
    };
    const place = drain.add(response);
    response.on('close', () => {
      drain.delete(place);
      const principal = request.call.principal;
      // A stream may be open for hours, so its duration is the time until it began.
      const ms = (request.call.streamsSince ?? performance.now()) - startedAt;
      // 499, as in nginx: the caller disconnected before the answer.
      const status = response.writableEnded ? response.statusCode : 499;
      metrics.request(String(request.route?.path ?? 'none'), status, ms / 1000);
      writeLine({
        requestId,
        operation: request.call.operation,
        traceId: request.call.traceId,
        method: request.method,
        path: request.originalUrl.split('?', 1)[0],
        status,
        ms: Math.round(ms * 10) / 10,
        storeId: principal?.storeId,
        actor: principal?.actor.id ?? undefined,
      });
    });
    if (!isForOneHost(request)) return refuseHost(response);
    readBody(request, (found) => {
      problem = found;
      if (!tracer) return next();
      tracer.request(request, response, (traceId) => {
        request.call.traceId = traceId;
        next();
      });
    });
  };
}

/**
 * Who says nothing of the host, or two things, may be understood otherwise by a proxy before us (RFC 9112
 * §3.2). HTTP/1.0 has no Host.
 */
function isForOneHost({ rawHeaders, httpVersionMinor }: Request): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
}

function refuseHost(response: Response): void {
  const refusal = invalidInput('The request must have one Host header');
  response.status(refusal.status).set('Connection', 'close').json(refusal.envelope());
}

/**
 * Escapes a malformed path, which the router would otherwise refuse before the token is checked
 * (docs/behaviour.md §1.4).
 */
function withoutBrokenEscapes(url: string): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(url.split('?', 1)[0]);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}

/**
 * Behind n proxies the caller is the n-th address from the right. Anybody can write the addresses further
 * left.
 */
function callerAddress(request: Request, trustedProxies: number): string {
  const socket = request.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return socket;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  return forwarded.at(-trustedProxies)?.trim() || socket;
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof SyntaxError ? invalidInput('The body must be valid JSON') : error;
  }
}

const MAX_BYTES = 1024 * 1024;
const PLAIN = 'application/json';
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** The refusal of a body that was not read. */
type Problem = string;
const TOO_LARGE: Problem = 'The body must not be larger than 1 MiB';
const COMPRESSED: Problem = 'The body must not be compressed: Content-Encoding is not supported';
const UNREAD: Problem = 'The body could not be read';
const NOT_UTF_8: Problem = 'The body must be UTF-8 JSON';
const BUSY: Problem = 'Too many large bodies are being sent at once: try again in a moment';
const RETRY_SECONDS = 1;

/**
 * Bodies are read before the token is checked, so the memory for incomplete bodies is limited for all callers
 * together. The first bytes of each body do not count, so that ordinary calls are read whatever others send.
 */
const UNCOUNTED = 16 * 1024;
const MOST_KEPT = 64 * 1024 * 1024;
let kept = 0;

/**
 * Reads the raw body into `request.body`. A body of another type than JSON is left alone. One without a type
 * may be empty, which a chunked body shows only when it is read. A compressed body is refused unread, because
 * a kilobyte of it can expand to a gigabyte. One that is too large is not kept.
 */
function readBody(request: Request, done: (problem: Problem | null) => void): void {
  const { headers } = request;
  if (!isRead(headers)) return done(null);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return done(COMPRESSED);
  let body: Buffer | null = null;
  let problem: Problem | null = null;
  let size = 0;
  let counted = 0;
  let isDone = false;
  const count = (bytes: number) => {
    kept += bytes - counted;
    counted = bytes;
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (problem) return;
    if (size > UNCOUNTED) count(size - UNCOUNTED);
    if (size > MAX_BYTES) problem = TOO_LARGE;
    else if (kept > MOST_KEPT) problem = BUSY;
    body = problem ? null : appended(body, chunk, size);
    if (problem) count(0);
  });
  request.on('end', () => {
    isDone = true;
    if (problem) return done(problem);
    request.body = body?.subarray(0, size) ?? Buffer.alloc(0);
    done(null);
  });
  request.on('close', () => {
    count(0);
    if (!isDone) done(UNREAD);
  });
}

/**
 * Nearly every body arrives in one piece. Others are joined as they arrive, because a million pieces of one
 * byte, each in its own buffer, would take a hundred times their size.
 * @param size the size of both together
 */
function appended(body: Buffer | null, piece: Buffer, size: number): Buffer {
  if (!body) return piece;
  const at = size - piece.length;
  let whole = body;
  if (size > body.length) {
    whole = Buffer.allocUnsafeSlow(Math.min(MAX_BYTES, Math.max(size, 2 * body.length)));
    body.copy(whole, 0, 0, at);
  }
  piece.copy(whole, at);
  return whole;
}

function isRead(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type'];
  if (type === undefined) return headers['transfer-encoding'] !== undefined;
  const isGiven = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return isGiven && (type === PLAIN || JSON_TYPE.test(type));
}

/**
 * The text of a JSON body. A missing or empty body counts as `{}` (docs/behaviour.md §1.1).
 * @param problem the result of `readBody`
 * @throws OperationError invalid_input for a body that cannot be JSON; rate_limited if it was not kept
 * because others are too large
 */
function bodyText(
  { body, headers }: Pick<Request, 'headers'> & { body?: unknown },
  problem: Problem | null,
): string {
  if (problem === BUSY) throw new OperationError('rate_limited', problem, RETRY_SECONDS);
  if (problem) throw invalidInput(problem);
  const type = headers['content-type'];
  const isEmpty = Buffer.isBuffer(body) ? body.length === 0 : !hasBody(headers);
  if (isEmpty) return '{}';
  if (!Buffer.isBuffer(body) || type === undefined)
    throw invalidInput('Content-Type must be application/json');
  if (type !== PLAIN) {
    const [, charset = 'utf-8'] = CHARSET.exec(type) ?? [];
    if (!/^utf-?8$/i.test(charset)) throw invalidInput(NOT_UTF_8);
  }
  // Decoding would silently put a replacement character in place of an invalid byte.
  if (!isUtf8(body)) throw invalidInput(NOT_UTF_8);
  const text = body.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = '\uFEFF';

const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Reads a body that is not JSON, and that nothing has read yet. One that is too large is not kept. */
async function readBytes(request: Request, max: number): Promise<Buffer> {
  const tooLarge = () => invalidInput(`The file must not be larger than ${max / 1024 / 1024} MiB`);
  if (request.headers['content-encoding'] !== undefined)
    throw invalidInput('The file must not be compressed');
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if ((size += chunk.length) > max) break;
      chunks.push(chunk);
    }
  } catch {
    throw invalidInput('The body could not be read');
  }
  if (size > max) throw tooLarge();
  return Buffer.concat(chunks);
}
