import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Request } from 'express';
import { asRefusal, invalidInput } from '../../platform/errors.js';
import { parametersProblem } from '../../platform/http/bounds.js';
import type { Call } from '../../platform/store/call.js';

/** A request as it is passed to the library. */
export type LibraryRequest = IncomingMessage & {
  call: Call;
  /** The address of the authorization server: BASE_URL, or that of a store. */
  serverAddress: string;
};

/**
 * Rewrites the request as if it had been sent directly to this address. The library builds others from the
 * Host header, which callers can choose freely, and it must get only the given body.
 * @param url path and query, if they differ from those of the request
 */
export function libraryRequest(
  request: Request,
  address: string,
  { url = request.url, body = '' }: { url?: string; body?: string } = {},
): LibraryRequest {
  const { host, protocol, pathname } = new URL(address);
  const {
    'transfer-encoding': _,
    'x-forwarded-host': __,
    'content-length': ___,
    ...headers
  } = request.headers;
  return Object.assign(Readable.from(body === '' ? [] : [Buffer.from(body)]), {
    method: request.method,
    url,
    originalUrl: pathname.replace(/\/$/, '') + url,
    headers: {
      ...headers,
      host,
      'x-forwarded-proto': protocol.replace(':', ''),
      ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
    httpVersion: request.httpVersion,
    httpVersionMajor: request.httpVersionMajor,
    httpVersionMinor: request.httpVersionMinor,
    socket: request.socket,
    connection: request.socket,
    call: request.call,
    serverAddress: address,
  }) as unknown as LibraryRequest;
}

const MAX_FORM_BYTES = 16 * 1024;

/**
 * Reads a form as text.
 * @param repeated the parameter that may be given more than once
 * @returns null if the body is not a form or is too large
 * @throws OperationError invalid_input
 */
export async function formText(request: Request, repeated = 'resource'): Promise<string | null> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    return null;
  if (request.headers['content-encoding'] !== undefined) return null;
  let form: Buffer;
  try {
    form = await request.call.bytes!(MAX_FORM_BYTES);
  } catch (error) {
    if (asRefusal(error)?.code === 'invalid_input') return null;
    throw error;
  }
  const text = form.toString('utf8');
  const problem = parametersProblem(text, repeated);
  if (problem !== null) throw invalidInput(`The form ${problem}`);
  refuseNul(text);
  return text;
}

/**
 * Refuses NUL characters, which have no use in a request and which the database cannot store.
 * @param encoded a form, or the address of a request
 * @throws OperationError invalid_input
 */
export function refuseNul(encoded: string): void {
  if (/%00|\0/.test(encoded)) throw invalidInput('The request must not contain NUL characters');
}
