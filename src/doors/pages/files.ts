import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request, Response } from 'express';
import { encodingFor } from '../../platform/http/compression.js';

/** The folder to which `npm run build` writes the pages, beside the compiled service. */
export const BUILT = fileURLToPath(new URL('../../../web', import.meta.url));
/** How long a browser keeps a file whose name includes a hash of its content. */
export const A_YEAR = 'public, max-age=31536000, immutable';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** A file in memory, with the compressed variants that the build has written beside it. */
export interface ServedFile {
  type: string;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

/** The files directly in a folder that are served to browsers, by name; empty if there is no such folder. */
export function readFiles(folder: string): Map<string, ServedFile> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => path.extname(name) in TYPES) : [];
  return new Map(names.map((name) => [name, readWithVariants(path.join(folder, name))]));
}

function readWithVariants(file: string): ServedFile {
  const variant = (ending: string) => (existsSync(file + ending) ? readFileSync(file + ending) : undefined);
  return {
    type: TYPES[path.extname(file)],
    plain: readFileSync(file),
    br: variant('.br'),
    gzip: variant('.gz'),
  };
}

/** @param caching the value of Cache-Control */
export function sendFile(file: ServedFile, request: Request, response: Response, caching: string): void {
  const encoding = encodingFor(request);
  const compressed = encoding === null ? undefined : file[encoding];
  if (compressed) response.setHeader('Content-Encoding', encoding!);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('Cache-Control', caching);
  response.setHeader('Content-Type', file.type);
  // The pictures of the demo store's products are also shown by storefronts on other hosts.
  if (file.type.startsWith('image/')) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.end(compressed ?? file.plain);
}
