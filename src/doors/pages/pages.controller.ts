import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Controller, Get, Inject, Next, Param, Req, Res } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { OperationError } from '../../platform/errors.js';
import { sendPublic } from '../../platform/http/compression.js';
import { hashIn, withoutHeadersOfDocuments } from '../../platform/http/document-headers.js';
import { A_YEAR, BUILT, readFiles, sendFile, type ServedFile } from './files.js';

const NOT_BUILT =
  '<!doctype html><html lang="en"><title>Shop</title><p>The pages of the dashboard are not built. Run npm ' +
  'run build and start the service again.';

/**
 * The Content-Security-Policy of the pages: scripts and styles only from the service's own files and
 * those of its document, pictures from any https address.
 * @param pictures the origin of uploaded pictures
 */
const policy = ({ script, style }: Inline, nonce: string, pictures: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${script}`.trim(),
    `style-src-elem 'self' 'nonce-${nonce}' ${style}`.trim(),
    "style-src-attr 'none'",
    `img-src 'self' https: data: ${pictures}`.trim(),
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');

/** What a policy allows of the document's own script and style. */
interface Inline {
  script: string;
  style: string;
}

interface Built {
  html: string;
  inline: Inline;
  /** Files whose names include a hash of their content. */
  assets: Map<string, ServedFile>;
  others: Map<string, ServedFile>;
}

/**
 * Serves the dashboard's pages: one document for every address below /dashboard outside the API, and the
 * files that it uses. It must be the last controller below /dashboard. The document is the same for everybody
 * and no cookie is read: a browser that follows a link from another site does not send any, while the calls
 * of the page itself do.
 */
@Controller('dashboard')
export class PagesController {
  private built?: Built;

  /**
   * The origin of uploaded pictures. It is allowed explicitly, because on a developer's machine the bucket or
   * the service may use plain http, under another name than the page.
   */
  private readonly pictures: string;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.pictures = new URL(config.uploads?.publicUrl ?? config.baseUrl).origin;
  }

  /** A file of an older build is answered with 404, never with the page. */
  @Get('assets/:file')
  asset(@Param('file') file: string, @Req() request: Request, @Res() response: Response): void {
    const asset = this.files().assets.get(file);
    if (!asset) throw new OperationError('not_found', 'There is no such file');
    if (!asset.type.startsWith('image/')) withoutHeadersOfDocuments(response);
    sendFile(asset, request, response, A_YEAR);
  }

  @Get(['', '*address'])
  async page(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): Promise<void> {
    const address = request.path.replace(/^\/dashboard\/?/, '');
    if (/^api(\/|$)/.test(address)) return next();
    const { html, inline, others } = this.files();
    const other = others.get(address);
    if (other) {
      withoutHeadersOfDocuments(response);
      return sendFile(other, request, response, 'no-cache');
    }
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', policy(inline, nonce, this.pictures));
    // The nonce is valid for one answer only.
    response.setHeader('Cache-Control', 'no-store');
    response.type('text/html');
    await sendPublic(
      response,
      html.replace('name="csp-nonce" content=""', `name="csp-nonce" content="${nonce}"`),
    );
  }

  /**
   * Reads the files with the first request of a browser, because commands and most tests do not need them.
   */
  private files(): Built {
    return (this.built ??= readBuilt(this.config.baseUrl));
  }
}

/** @returns the pages, or a document that explains how to build them if there are none */
export function readBuilt(baseUrl: string, folder = BUILT): Built {
  const isBuilt = existsSync(path.join(folder, '.vite/manifest.json'));
  // The service may run below a path of its address. Everything in the document is relative to this base.
  const base = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/dashboard/`;
  const html = isBuilt
    ? readFileSync(path.join(folder, 'index.html'), 'utf8').replace(
        '<base href="/dashboard/"',
        `<base href="${base}"`,
      )
    : NOT_BUILT;
  return {
    html,
    inline: { script: hashIn(html, 'script'), style: hashIn(html, 'style') },
    assets: readFiles(path.join(folder, 'assets')),
    others: isBuilt ? readFiles(folder) : new Map(),
  };
}
