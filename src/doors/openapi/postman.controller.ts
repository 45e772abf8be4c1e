import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Documents } from './documents.service.js';

/** Serves the operations as a Postman collection; Postman's `Import` accepts the address. */
@Controller()
export class PostmanController {
  constructor(private readonly documents: Documents) {}

  @Get('postman.json')
  read(@Res() response: Response): void {
    response.type('application/json').send(this.documents.postmanText());
  }
}
