import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Call } from '../store/call.js';
import { parseInput } from '../schema/parse-input.js';
import type { Logger } from '../logging/logger.js';
import { bodyText, notJson, readBody } from './body.js';
import type { Drain } from './drain.js';
import type { Metrics } from '../observability/metrics.js';

declare module 'express-serve-static-core' {
  interface Request {
    call: Call;
  }
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/**
 * Gives every request its call: id, caller's address, and a body that is read here but judged only when the operation asks for
 * it, so that a refused token is told first (docs/behaviour.md §1.4). Every answer carries X-Request-Id and is logged once.
 */
export function requests(log: Logger, metrics: Metrics, drain: Drain, trustedProxies: number) {
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
      body: (parse = parseInput) => parsed(bodyText(request, bodyError), parse),
    };
    drain.add(response);
    response.on('close', () => {
      drain.delete(response);
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
    readBody(request, response, (error?: Error) => {
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

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error;
  }
}
