import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PublicDocument } from '../../platform/http/compression.js';

/** Serves the changelog of this version, for partners who follow what changes. */
@Controller()
export class ChangelogController {
  private changelog?: PublicDocument;

  @Get('changelog')
  read(@Res() response: Response): Promise<void> {
    this.changelog ??= new PublicDocument(
      'text/markdown; charset=utf-8',
      readFileSync(createRequire(import.meta.url).resolve('#changelog'), 'utf8'),
    );
    return this.changelog.send(response);
  }
}
