/** How a client calls the service. */
export interface ClientOptions {
  /** The address of the service, such as `https://shop.example`. */
  baseUrl: string;
  /** A token (`shop_live_…`), or a function that returns one and is called before each attempt. */
  token: string | (() => string | Promise<string>);
  /** How many times a call is repeated after a temporary failure. The default is 4. */
  retries?: number | undefined;
  /**
   * The longest time to wait for one answer, in milliseconds, beside the `waitSeconds` of the call. The
   * default is 30,000.
   */
  timeoutMs?: number | undefined;
  /**
   * The longest time that the first of the waiting calls waits for the rate limit, in milliseconds, from when
   * a call last got through; then the refusal is thrown. Waiting for earlier calls does not count. The
   * default is 120,000.
   */
  maxWaitMs?: number | undefined;
  /** The `fetch` to use. The default is that of the runtime. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  /**
   * The Idempotency-Key of a change: 1 to 255 printable ASCII characters. The default is a random key, which
   * is the same for all attempts of this call. With a key of your own you can also repeat the call safely
   * after a crash.
   */
  idempotencyKey?: string | undefined;
  /**
   * The last known `updatedAt`. The change is refused with `precondition_failed` if the record has changed
   * since then.
   */
  ifMatch?: string | undefined;
  /**
   * The id of the request: 1 to 128 printable ASCII characters. It is returned with a refusal, and is in the
   * service's logs and audit log.
   */
  requestId?: string | undefined;
  signal?: AbortSignal | undefined;
}

const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * The options with their defaults, and the address without a slash at its end.
 * @throws TypeError that names the option which cannot be used
 */
export function checkedOptions(options: ClientOptions): Required<ClientOptions> {
  const { baseUrl, token, retries = 4, timeoutMs = 30_000, maxWaitMs = 120_000 } = options;
  const { fetch = globalThis.fetch } = options;
  if (typeof baseUrl !== 'string' || !isAddress(baseUrl))
    throw new TypeError('baseUrl must be a full address, such as https://shop.example');
  if (typeof token !== 'function') checkedToken(token);
  for (const [name, value] of Object.entries({ retries, timeoutMs, maxWaitMs })) {
    if (typeof value !== 'number' || !(value >= 0))
      throw new TypeError(`${name} must be a number of at least 0`);
  }
  if (typeof fetch !== 'function') throw new TypeError('fetch must be a function');
  return { baseUrl: baseUrl.replace(/\/+$/, ''), token, retries, timeoutMs, maxWaitMs, fetch };
}

function isAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

/** @throws TypeError for a token that cannot be sent in a header */
export function checkedToken(token: unknown): string {
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('token must be a text of printable ASCII characters without spaces');
  return token;
}

/**
 * The headers that the options of a call ask for.
 * @throws TypeError that names the option which cannot be sent
 */
export function headersOf({ idempotencyKey, ifMatch, requestId }: CallOptions): Record<string, string> {
  return {
    ...header('Idempotency-Key', 'idempotencyKey', idempotencyKey, 255),
    ...header('If-Match', 'ifMatch', ifMatch, 100),
    ...header('X-Request-Id', 'requestId', requestId, 128),
  };
}

function header(name: string, option: string, value: unknown, longest: number): Record<string, string> {
  if (value === undefined) return {};
  if (typeof value === 'string' && value.length <= longest && PRINTABLE.test(value)) return { [name]: value };
  throw new TypeError(`${option} must be 1 to ${longest} printable ASCII characters`);
}
