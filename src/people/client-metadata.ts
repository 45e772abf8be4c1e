import { isPlainObject } from '../platform/schema/fields.js';
import { parseUrl } from '../platform/url.js';

const MAX_CALLBACKS = 10;
const MAX_CALLBACK_LENGTH = 2048;
const MAX_NAME = 100;

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?([/?]|$)/i;

/** Schemes that are no app's own. The library refuses those by which an address can hold a program (javascript, data and the like). */
const NOT_AN_APPS = ['ftp:', 'ftps:', 'ws:', 'wss:', 'mailto:', 'tel:', 'sms:', 'view-source:', 'filesystem:'];

/** What is taken over of all a client may say. Whatever would make the service fetch more, or show pictures of strangers, is not. */
const TAKEN = [
  'client_id',
  'client_name',
  'client_secret',
  'client_secret_expires_at',
  'redirect_uris',
  'response_types',
  'token_endpoint_auth_method',
  'application_type',
] as const;

/** A client that cannot be let in, in the words of RFC 7591 §3.2.2. */
export class ClientRefused extends Error {
  constructor(
    readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message);
  }
}

/**
 * What a client says of itself, made such that the library understands it as the client means it: hosts publish loopback callbacks
 * without a port and leave `application_type` out, which then means "web", and some name scopes, which the library takes for OpenID's.
 * The library checks the rest.
 * @throws ClientRefused
 */
export function clientMetadata(given: unknown): Record<string, unknown> {
  if (!isPlainObject(given)) throw new ClientRefused('invalid_client_metadata', 'the metadata must be a JSON object');
  const callbacks = callbacksOf(given.redirect_uris);
  const { client_name: name } = given;
  if (name !== undefined && (typeof name !== 'string' || name.length > MAX_NAME)) {
    throw new ClientRefused('invalid_client_metadata', `client_name must be a string of at most ${MAX_NAME} characters`);
  }
  const isNative = callbacks.some((uri) => LOOPBACK.test(uri) || !/^https?:/i.test(uri));
  return {
    token_endpoint_auth_method: 'none',
    ...(isNative ? { application_type: 'native' } : {}),
    ...Object.fromEntries(TAKEN.filter((field) => given[field] !== undefined).map((field) => [field, given[field]])),
    // Characters that are not seen could turn the text around them.
    ...(typeof name === 'string' ? { client_name: name.replace(/[\p{C}]/gu, '').trim() } : {}),
    grant_types: ['authorization_code', 'refresh_token'],
  };
}

function callbacksOf(given: unknown): string[] {
  const refuse = (message: string) => new ClientRefused('invalid_redirect_uri', message);
  if (!Array.isArray(given) || given.length < 1 || given.length > MAX_CALLBACKS) {
    throw refuse(`redirect_uris must be a list of 1 to ${MAX_CALLBACKS} addresses`);
  }
  for (const uri of given as unknown[]) {
    if (typeof uri !== 'string' || uri.length > MAX_CALLBACK_LENGTH) {
      throw refuse(`redirect_uris must be texts of at most ${MAX_CALLBACK_LENGTH} characters`);
    }
    // The library would let a web client have http addresses anywhere, and a native one any scheme.
    const protocol = parseUrl(uri)?.protocol ?? '';
    if ((protocol === 'http:' && !LOOPBACK.test(uri)) || NOT_AN_APPS.includes(protocol))
      throw refuse("redirect_uris must be https, on this computer, or of an app's own scheme");
  }
  return given as string[];
}

/** Whether the browser would go to a program on the person's own computer. */
export const isLoopback = (uri: string) => LOOPBACK.test(uri);
