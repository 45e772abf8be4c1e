import express, { type Request } from 'express';
import { invalidInput, type OperationError } from '../errors.js';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/**
 * Reads a body as it came. One of another type than JSON is left alone; without a type it may be empty, which a chunked body
 * tells only when it is read. A compressed one is refused unread: a kilobyte of it can hold a gigabyte.
 */
export const readBody = express.raw({
  limit: '1mb',
  inflate: false,
  type: ({ headers }) => {
    const type = headers['content-type'];
    return type === undefined ? headers['transfer-encoding'] !== undefined : JSON_TYPE.test(type);
  },
});

/** Decoding alone would put a replacement character where a byte makes no sense, and nobody would notice. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a JSON body. An absent or empty one counts as `{}` (docs/behaviour.md §1.1).
 * @param error what `readBody` met
 * @throws OperationError invalid_input for a body that cannot be JSON text
 */
export function bodyText({ body, headers }: Pick<Request, 'headers'> & { body?: unknown }, error: Error | null): string {
  if (error) throw invalidInput(bodyProblem(error as Error & { type?: string }));
  const type = headers['content-type'];
  const isEmpty = Buffer.isBuffer(body) ? body.length === 0 : !hasBody(headers);
  if (isEmpty) return '{}';
  if (!Buffer.isBuffer(body) || type === undefined) throw invalidInput('Content-Type must be application/json');
  const [, charset = 'utf-8'] = CHARSET.exec(type) ?? [];
  if (!/^utf-?8$/i.test(charset)) throw invalidInput(NOT_UTF_8);
  try {
    return UTF_8.decode(body);
  } catch {
    throw invalidInput(NOT_UTF_8);
  }
}

export const notJson = (): OperationError => invalidInput('The body must be valid JSON');

const NOT_UTF_8 = 'The body must be UTF-8 JSON';

const hasBody = (headers: Request['headers']) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function bodyProblem({ type }: { type?: string }): string {
  switch (type) {
    case 'entity.too.large':
      return 'The body must not be larger than 1 MiB';
    case 'encoding.unsupported':
      return 'The body must not be compressed: Content-Encoding is not supported';
    default:
      return 'The body could not be read';
  }
}
