import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { forbidden } from '../../platform/errors.js';
import { storeOfHost } from '../../platform/config/store-address.js';

const ANSWER_HEADERS =
  'WWW-Authenticate, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After';

/**
 * Refuses, with 403, requests to a host name that is not the service's or a store's, or from a page of
 * another host. This stops a page whose name is made to resolve to this machine (DNS rebinding). Programs
 * send no Origin.
 */
@Injectable()
export class AllowedHostGuard implements CanActivate {
  private readonly hostnames: string[];
  /** The Host header that was allowed last: nearly all calls have the same one. */
  private allowed: string | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.hostnames = [new URL(config.baseUrl).hostname, ...localhostAllowedHostnames()];
  }

  canActivate(context: ExecutionContext): boolean {
    const { host, origin } = context.switchToHttp().getRequest<Request>().headers;
    if (host === undefined || host !== this.allowed) this.checkHost(host);
    if (origin === undefined) return true;
    if (!validateOriginHeader(origin, this.hostnames).ok)
      throw forbidden('Pages of other origins may not call this service');
    letPageRead(context.switchToHttp().getResponse<Response>(), origin);
    return true;
  }

  private checkHost(host: string | undefined): void {
    if (!validateHostHeader(host, this.hostnames).ok && storeOfHost(this.config, host) === null)
      throw forbidden('The Host header must name this service (BASE_URL)');
    this.allowed = host;
  }
}

/**
 * Lets the page read the answer. That is safe because tokens are sent in a header, never in a cookie that the
 * browser adds by itself.
 */
function letPageRead(response: Response, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', ANSWER_HEADERS);
  response.vary('Origin');
}
