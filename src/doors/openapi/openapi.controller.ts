import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { OperationError } from '../../platform/errors.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { openApiDocument } from './openapi.document.js';

const UI_FILES: Record<string, string> = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' };

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop Administration API</title>
<link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="ui"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script></body></html>`;

const START = `SwaggerUIBundle({ url: new URL('openapi.json', document.baseURI).href, dom_id: '#ui', deepLinking: true });`;

/** The machine-readable description and its reader, both served from here: nothing is loaded from elsewhere. */
@Controller()
export class OpenApiController {
  private document: string | null = null;

  constructor(
    private readonly operations: OperationRegistry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('openapi.json')
  read(@Res() response: Response): void {
    this.document ??= JSON.stringify(openApiDocument(this.operations.list(), this.config.baseUrl));
    response.type('application/json').send(this.document);
  }

  @Get('docs')
  page(@Req() request: Request, @Res() response: Response): void {
    // Its links are relative, since the service may live below a path of its address.
    if (request.path.endsWith('/')) return response.redirect(308, '../docs');
    response.type('text/html').send(PAGE);
  }

  @Get('docs/:file')
  file(@Param('file') file: string, @Res() response: Response): void {
    if (file === 'start.js') return void response.type('text/javascript').send(START);
    const type = UI_FILES[file];
    if (!type) throw new OperationError('not_found', 'There is no such file');
    const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
    response.type(type).send(readFileSync(path.join(folder, file)));
  }
}
