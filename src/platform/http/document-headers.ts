import { createHash } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** What browsers ask of documents alone: half a kilobyte of each answer. */
const OF_DOCUMENTS = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Origin-Agent-Cluster',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Frame-Options',
  'X-Permitted-Cross-Domain-Policies',
  'X-XSS-Protection',
];

/** For an answer that is a script or a style. */
export function withoutHeadersOfDocuments(response: Response): void {
  for (const header of OF_DOCUMENTS) response.removeHeader(header);
}

/** What the script of a page fetches is not a document either: browsers say so in `Sec-Fetch-Dest`. */
export function scriptsWithoutHeadersOfDocuments(
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  if (request.headers['sec-fetch-dest'] === 'empty') withoutHeadersOfDocuments(response);
  next();
}

/** What a content security policy allows of a script or style that stands in the document. */
export const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The same of the document's first script or style; empty if there is none. */
export function hashIn(html: string, element: 'script' | 'style'): string {
  const [, text] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
  return text === undefined ? '' : hashOf(text);
}
