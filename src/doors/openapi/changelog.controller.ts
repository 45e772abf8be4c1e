import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';

/** Serves the changelog of this version, for partners who follow what changes. */
@Controller()
export class ChangelogController {
  private text?: string;

  @Get('changelog')
  read(@Res() response: Response): void {
    this.text ??= readFileSync(createRequire(import.meta.url).resolve('#changelog'), 'utf8');
    response.type('text/markdown; charset=utf-8').send(this.text);
  }
}
