import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Documents } from './documents.service.js';

/** The operations for those who try them in Postman: `Import` takes the address. */
@Controller()
export class PostmanController {
  constructor(private readonly documents: Documents) {}

  @Get('postman.json')
  read(@Res() response: Response): void {
    response.type('application/json').send(JSON.stringify(this.documents.postmanCollection()));
  }
}
