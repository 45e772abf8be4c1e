import { isPlainObject } from '../../platform/schema/json/parse-input.js';
import { parseUrl } from '../../platform/text/url.js';

const MAX_CALLBACKS = 10;
const MAX_CALLBACK_LENGTH = 2048;
const MAX_NAME = 100;

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?([/?]|$)/i;

/**
 * Schemes that do not belong to an app. The library itself refuses those that can contain a program, such as
 * javascript: and data:.
 */
const NOT_AN_APPS = [
  'ftp:',
  'ftps:',
  'ws:',
  'wss:',
  'mailto:',
  'tel:',
  'sms:',
  'view-source:',
  'filesystem:',
];

/**
 * The metadata that is accepted from a client. Anything that would make the service fetch more, or show
 * foreign pictures, is not.
 */
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

/** A client whose metadata is refused, with an error code of RFC 7591 §3.2.2. */
export class ClientRefused extends Error {
  constructor(
    readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message);
  }
}

/**
 * A client's metadata, adjusted so that the library understands it as the client means it: hosts publish
 * loopback callbacks without a port and leave out `application_type`, which then means "web", and some name
 * scopes, which the library takes for OpenID's. The library checks the rest.
 * @throws ClientRefused
 */
export function clientMetadata(given: unknown): Record<string, unknown> {
  if (!isPlainObject(given))
    throw new ClientRefused('invalid_client_metadata', 'the metadata must be a JSON object');
  const callbacks = callbacksOf(given.redirect_uris);
  const { client_name: name } = given;
  if (name !== undefined && (typeof name !== 'string' || name.length > MAX_NAME)) {
    throw new ClientRefused(
      'invalid_client_metadata',
      `client_name must be a string of at most ${MAX_NAME} characters`,
    );
  }
  const isNative = callbacks.some((uri) => LOOPBACK.test(uri) || !/^https?:/i.test(uri));
  return {
    token_endpoint_auth_method: 'none',
    ...(isNative ? { application_type: 'native' } : {}),
    ...Object.fromEntries(
      TAKEN.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]),
    ),
    // Invisible characters could reverse the text around them.
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
    // The library would allow a web client any http address, and a native client any scheme.
    const protocol = parseUrl(uri)?.protocol ?? '';
    if ((protocol === 'http:' && !LOOPBACK.test(uri)) || NOT_AN_APPS.includes(protocol))
      throw refuse("redirect_uris must be https, on this computer, or of an app's own scheme");
  }
  return given as string[];
}

/** Whether the address leads to a program on the person's own computer. */
export const isLoopback = (uri: string) => LOOPBACK.test(uri);
