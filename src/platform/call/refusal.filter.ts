import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
  Injectable,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Call, toLog } from '../store/call.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { asRefusal, INTERNAL_ERROR, invalidInput, OperationError, Unavailable } from '../errors.js';
import { unavailable } from './lost-connection.js';

/** The doors whose callers word a refusal themselves (docs/behaviour.md §11). */
const HAS_PAGES = /^\/(storefront|dashboard\/api)\//;

/**
 * Turns whatever a call threw, even if it is not an Error, into the failure envelope. The cause of a 500 only
 * goes to the log.
 */
@Catch()
@Injectable()
export class CallRefusal implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.end();
    const refusal = this.refusalOf(error, request.call);
    if (refusal.status === 401 && !response.hasHeader('WWW-Authenticate')) {
      // RFC 6750 §3: a caller without a token is asked for one, and the header names no error.
      const error = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
      response.setHeader('WWW-Authenticate', `Bearer realm="shop"${error}`);
    }
    const envelope = HAS_PAGES.test(request.path) ? refusal.envelopeForPages() : refusal.envelope();
    response.status(refusal.status).type('application/json').send(JSON.stringify(envelope));
  }

  /** The refusal that the caller gets. Everything else about the error is logged. */
  refusalOf(error: unknown, call: Call | undefined): OperationError {
    const refusal =
      asRefusal(error) ?? unavailable(error) ?? (error instanceof HttpException ? fromNest(error) : null);
    if (refusal && !(refusal instanceof Unavailable)) return refusal;
    if (refusal?.cause !== null)
      this.log.error({ err: refusal?.cause ?? error, ...(call && toLog(call)) }, 'a call failed');
    if (refusal) call?.setHeader('Retry-After', String(refusal.retryAfterSeconds));
    return refusal ?? INTERNAL_ERROR;
  }
}

/** Translates Nest's own refusals, of unknown paths and malformed URLs. */
function fromNest(error: HttpException): OperationError | null {
  if (error.getStatus() === 404) return new OperationError('not_found', 'There is nothing at this path');
  return error.getStatus() < 500 ? invalidInput('The request could not be understood') : null;
}
