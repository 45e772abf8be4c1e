import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Call } from '../operation/call.js';
import { invalidInput } from '../operation/operation-error.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from './metrics.js';

declare module 'express-serve-static-core' {
  interface Request {
    call: Call;
    /** A JSON body as it was sent, where JSON.parse would lose digits of a number. */
    rawBody?: Buffer;
  }
}

const BODY_LIMIT = '1mb';
const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

const parseJson = express.json({
  limit: BODY_LIMIT,
  strict: false,
  verify: (request, _response, bytes, encoding) => {
    // Decoding would put a replacement character where a byte makes no sense, and nobody would notice.
    if (encoding === 'utf-8' && !isUtf8(bytes)) throw new Error('not UTF-8');
    (request as Request).rawBody = bytes;
  },
});

/** A chunked body tells its length only when it is read, and without a type it may be empty. */
const readUntyped = express.raw({
  limit: BODY_LIMIT,
  type: ({ headers }) => headers['content-type'] === undefined && headers['transfer-encoding'] !== undefined,
});

/**
 * Gives every request its call: id, caller's address, and a body that is read here but judged only when the operation asks for
 * it, so that a refused token is told first (docs/behaviour.md §1.4). Every answer carries X-Request-Id and is logged once.
 */
export function requests(log: Logger, metrics: Metrics, trustedProxies: number) {
  // A request's line is made of what stands below and holds no secret; looking for some in each would cost as much as writing it.
  const lines = log.child({}, { redact: [] });
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && PRINTABLE.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', requestId);
    let bodyError: Error | null = null;
    request.url = withoutBrokenEscapes(request.url);
    request.call = {
      transport: 'http',
      requestId,
      headers: request.headers,
      address: callerAddress(request, trustedProxies),
      setHeader: (name, value) => void response.setHeader(name, value),
      body: () => jsonBody(request, bodyError),
    };
    response.on('close', () => {
      const principal = request.call.principal;
      const ms = performance.now() - startedAt;
      // 499, as nginx has it: the caller hung up before the answer.
      const status = response.writableEnded ? response.statusCode : 499;
      metrics.request(String(request.route?.path ?? 'none'), status, ms / 1000);
      lines.info(
        {
          requestId,
          method: request.method,
          path: request.originalUrl.split('?', 1)[0],
          status,
          ms: Math.round(ms * 10) / 10,
          storeId: principal?.storeId,
          actor: principal?.actor.id ?? undefined,
        },
        'request',
      );
    });
    const read = request.headers['content-type'] === undefined ? readUntyped : parseJson;
    read(request, response, (error?: Error) => {
      bodyError = error ?? null;
      next();
    });
  };
}

/** A path with a broken escape names nothing; the router would refuse it before anybody looks at the token (docs/behaviour.md §1.4). */
function withoutBrokenEscapes(url: string): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(url.split('?', 1)[0]);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}

/** Behind n proxies the caller is the n-th address from the right: what stands further left anybody can write. */
function callerAddress(request: Request, trustedProxies: number): string {
  const socket = request.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return socket;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  return forwarded.at(-trustedProxies)?.trim() || socket;
}

/** An absent or empty body counts as `{}` (docs/behaviour.md §1.1). */
function jsonBody(request: Request, error: Error | null): unknown {
  if (error) throw invalidInput(bodyProblem(error as Error & { type?: string }));
  const { body, headers } = request as { body: unknown; headers: Request['headers'] };
  const isEmpty = Buffer.isBuffer(body) ? body.length === 0 : body === undefined && !hasBody(headers);
  if (isEmpty) return {};
  if (body === undefined || Buffer.isBuffer(body)) throw invalidInput('Content-Type must be application/json');
  return body;
}

const hasBody = (headers: Request['headers']) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function bodyProblem({ type }: { type?: string }): string {
  switch (type) {
    case 'entity.too.large':
      return 'The body must not be larger than 1 MiB';
    case 'entity.parse.failed':
      return 'The body must be valid JSON';
    case 'entity.verify.failed':
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return 'The body must be UTF-8 JSON, plain or compressed with gzip, deflate or br';
    default:
      return 'The body could not be read';
  }
}
