import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { answerPreflight, isPreflight } from './cors.js';

/** Lets pages of any origin call operations. Other OPTIONS requests are refused like unknown operations. */
@Injectable()
export class Preflight implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    if (isPreflight(request.method, request.headers)) answerPreflight(response, 'POST');
    else next();
  }
}
