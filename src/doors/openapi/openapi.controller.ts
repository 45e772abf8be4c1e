import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OperationError } from '../../platform/errors.js';
import { PublicDocument } from '../../platform/http/compression.js';
import { type DocumentedDoor, Documents } from './documents.service.js';

const UI_FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
};

const uiFolder = () => path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = (title: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="ui"></div><script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script></body></html>`;

const START =
  `SwaggerUIBundle({ url: new URL('openapi.json', document.baseURI).href, dom_id: '#ui', deepLinking: true ` +
  `});`;

const TITLES: Record<DocumentedDoor, string> = {
  operations: 'Shop Administration API',
  dashboard: 'Shop Dashboard API',
  storefront: 'Storefront API',
};

/** The document of the operations is at the root, those of other doors are below their names. */
function doorOf({ path }: Request): DocumentedDoor {
  const [, first] = path.split('/');
  return first === 'dashboard' || first === 'storefront' ? first : 'operations';
}

/** Serves the OpenAPI documents and the pages that display them. Nothing is loaded from other hosts. */
@Controller(['', 'dashboard', 'storefront'])
export class OpenApiController {
  /** By name: the files of a page, and the document of each door. */
  private readonly large = new Map<string, PublicDocument>();

  constructor(private readonly documents: Documents) {}

  @Get('openapi.json')
  read(@Req() request: Request, @Res() response: Response): Promise<void> {
    const door = doorOf(request);
    return this.document(door, 'application/json', () => this.documents.text(door)).send(response);
  }

  @Get('docs')
  page(@Req() request: Request, @Res() response: Response): void {
    // The links of the page are relative, because the service may run below a path of its address.
    if (request.path.endsWith('/')) return response.redirect(308, '../docs');
    response.type('text/html').send(page(TITLES[doorOf(request)]));
  }

  @Get('docs/:file')
  async file(@Param('file') file: string, @Res() response: Response): Promise<void> {
    if (file === 'start.js') return void response.type('text/javascript').send(START);
    const type = UI_FILES[file];
    if (!type) throw new OperationError('not_found', 'There is no such file');
    await this.document(file, type, () => readFileSync(path.join(uiFolder(), file))).send(response);
  }

  private document(name: string, type: string, read: () => string | Buffer): PublicDocument {
    let document = this.large.get(name);
    if (!document) this.large.set(name, (document = new PublicDocument(type, read())));
    return document;
  }
}
