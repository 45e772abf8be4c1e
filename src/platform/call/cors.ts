import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

const PREFLIGHT_AGE_S = 7_200;
/** Headers of answers that a page of another origin may read. */
const READABLE =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotent-Replayed';
const SENDABLE = 'Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id';

/**
 * Allows pages of any origin to read the answer. This is safe where calls are authenticated by a header that
 * the page must set, never by a cookie that the browser adds by itself (docs/behaviour.md §1.1).
 */
export function allowAnyOrigin(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', READABLE);
}

/** Whether a browser asks if a page of another origin may send a request. */
export const isPreflight = (method: string, headers: IncomingHttpHeaders): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** Answers a preflight. @param methods those that the address has */
export function answerPreflight(response: Response, methods: string): void {
  allowAnyOrigin(response);
  response.setHeader('Access-Control-Allow-Methods', methods);
  response.setHeader('Access-Control-Allow-Headers', SENDABLE);
  response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_AGE_S));
  response.status(204).end();
}

/** Lets pages of any origin call operations. Other OPTIONS requests are refused like unknown operations. */
@Injectable()
export class Preflight implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    if (isPreflight(request.method, request.headers)) answerPreflight(response, 'POST');
    else next();
  }
}
