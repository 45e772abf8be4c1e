import type { components } from './generated/schema.js';

/** The body of a webhook, with the order as `get_order` returned it at the time of the event. */
export interface WebhookEvent {
  /** The delivery id, which is the same on every attempt. Ignore an id that you have already handled. */
  id: string;
  event: 'order.created' | 'order.updated';
  /** ISO 8601, UTC. */
  createdAt: string;
  data: components['schemas']['Order'];
  /** Present on the test events that the dashboard sends. */
  test?: true;
}

/** The request is not a genuine webhook of the service. Answer it with 400 and do not use its body. */
export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook';
}

type HeaderRecord = Record<string, string | string[] | undefined>;

/**
 * Checks the signature of a webhook request and returns its event. Uses Web Crypto, which is available in
 * Node and in browsers.
 * @param rawBody the exact bytes that were received, or their text; never a body that was parsed and
 * serialized again
 * @param headers the headers of the request, from `fetch` or from Node's `http`
 * @param secret the signing secret, including `whsec_`; during a rotation, the new and the old one
 * @throws InvalidWebhook if a header is missing, or if the signature does not match the body
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: Headers | HeaderRecord,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  const signature = header(headers, 'x-shop-signature');
  if (signature === null || !/^[0-9a-f]{64}$/.test(signature)) {
    throw new InvalidWebhook('The header X-Shop-Signature is missing or is not 64 hexadecimal digits');
  }
  const body = bytesOf(rawBody);
  const given = Uint8Array.from(signature.match(/../g)!, (pair) => Number.parseInt(pair, 16));
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const matches = await Promise.all(secrets.map((one) => isSignedWith(one, body, given)));
  if (!matches.includes(true))
    throw new InvalidWebhook('X-Shop-Signature is not the signature of this body with this secret');
  const event = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  if (header(headers, 'x-shop-delivery') !== event.id)
    throw new InvalidWebhook('X-Shop-Delivery is not the id of the body');
  return event;
}

/** Verifies the signature with `subtle.verify`, which compares in constant time. */
async function isSignedWith(
  secret: string,
  body: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
  return subtle.verify(algorithm, key, signature, body);
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : Uint8Array.from(body);
}

/** The value of a header that occurs exactly once. */
function header(headers: Headers | HeaderRecord, name: string): string | null {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name);
  const values = Object.entries(headers as HeaderRecord).filter(([key]) => key.toLowerCase() === name);
  const [[, value] = []] = values;
  return values.length === 1 && typeof value === 'string' ? value : null;
}
