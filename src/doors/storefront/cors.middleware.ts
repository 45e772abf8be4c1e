import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { allowAnyOrigin, answerPreflight } from '../../platform/call/cors.js';

/** A Mini App is a web page that the shop hosts itself, at any origin. */
@Injectable()
export class Cors implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    if (request.method === 'OPTIONS') return answerPreflight(response, 'GET, POST');
    allowAnyOrigin(response);
    next();
  }
}
