import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PublicDocument } from '../../platform/http/compression.js';
import { Documents } from './documents.service.js';

/** Serves the operations as a Postman collection; Postman's `Import` accepts the address. */
@Controller()
export class PostmanController {
  private collection?: PublicDocument;

  constructor(private readonly documents: Documents) {}

  @Get('postman.json')
  read(@Res() response: Response): Promise<void> {
    this.collection ??= new PublicDocument('application/json', this.documents.postmanText());
    return this.collection.send(response);
  }
}
