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
