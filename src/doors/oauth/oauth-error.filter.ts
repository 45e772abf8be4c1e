import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CallRefusal } from '../../platform/call/refusal.filter.js';
import { type ErrorCode, OperationError } from '../../platform/errors.js';
import { ClientRefused } from '../../people/apps/client-metadata.js';
import { RequestOver } from './consents.service.js';
import { pageHeaders } from './pages/page-headers.js';
import { errorPage } from './pages/pages.js';

/** OAuth's names for the service's error codes (RFC 6749 §5.2). */
const CODES: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'temporarily_unavailable',
  forbidden: 'access_denied',
  internal_error: 'server_error',
};

/**
 * Answers programs with an OAuth error and people with a page. An unknown path is answered with the envelope.
 * The browser is never redirected.
 */
@Catch()
@Injectable()
export class OauthErrorFilter implements ExceptionFilter {
  constructor(private readonly envelope: CallRefusal) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.end();
    if (error instanceof HttpException || (error instanceof OperationError && error.code === 'not_found')) {
      return this.envelope.catch(error, host);
    }
    const refusal = error instanceof ClientRefused ? error : this.envelope.refusalOf(error, request.call);
    const status = refusal instanceof OperationError ? refusal.status : 400;
    if (request.accepts(['json', 'html']) === 'html') {
      const isOver = refusal instanceof RequestOver;
      response.set(pageHeaders());
      return void response
        .status(status)
        .type('html')
        .send(errorPage(refusal.message, { isOver, back: isOver ? '' : backFrom(request) }));
    }
    const code =
      refusal instanceof OperationError ? (CODES[refusal.code] ?? 'invalid_request') : refusal.code;
    response.setHeader('Cache-Control', 'no-store');
    response.status(status).json({ error: code, error_description: refusal.message });
  }
}

/** The page whose form was refused, from where the form was sent to; none for other refusals. */
function backFrom({ method, params, path }: Request): string {
  const { uid } = params as { uid?: string };
  if (method !== 'POST' || !uid) return '';
  const page = encodeURIComponent(uid);
  return path.endsWith(`/${page}`) ? page : `../${page}`;
}
