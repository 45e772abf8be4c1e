import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

const PREFLIGHT_AGE_S = 7_200;

/**
 * Allows pages of any origin, because a Mini App is a web page that the shop hosts itself. This is safe
 * because calls are authenticated by a header that the page must set, never by a cookie that the browser adds
 * by itself.
 */
@Injectable()
export class Cors implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader(
      'Access-Control-Expose-Headers',
      'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotent-Replayed',
    );
    if (request.method !== 'OPTIONS') return next();
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
    response.setHeader(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
    );
    response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_AGE_S));
    response.status(204).end();
  }
}
