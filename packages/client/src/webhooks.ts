import type { components } from './generated/schema.js';

/** A webhook's body: the order as `get_order` returned it at the moment of the event. */
export interface WebhookEvent {
  /** The same on every attempt: ignore an id that was handled before. */
  id: string;
  event: 'order.created' | 'order.updated';
  /** ISO 8601, UTC. */
  createdAt: string;
  data: components['schemas']['Order'];
  /** Present on the test events that the dashboard sends. */
  test?: true;
}

/** The request is not a genuine webhook of the service: answer it with 400 and do not read it. */
export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook';
}

type HeaderRecord = Record<string, string | string[] | undefined>;

/**
 * Checks the signature of a webhook request and returns its event. Uses Web Crypto, which Node and browsers' runtimes have.
 * @param rawBody the bytes exactly as they arrived, or their text; never a body that was parsed and written again
 * @param headers of the request, as `fetch` or Node's `http` has them
 * @param secret the signing secret, `whsec_` included; while it is rotated, the new and the old one
 * @throws InvalidWebhook when a header is missing, or the signature is not that of the body
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
  if (!matches.includes(true)) throw new InvalidWebhook('X-Shop-Signature is not the signature of this body with this secret');
  const event = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  if (header(headers, 'x-shop-delivery') !== event.id) throw new InvalidWebhook('X-Shop-Delivery is not the id of the body');
  return event;
}

/** `subtle.verify` compares in constant time. */
async function isSignedWith(secret: string, body: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
  return subtle.verify(algorithm, key, signature, body);
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : Uint8Array.from(body);
}

/** The value of a header that is there once. */
function header(headers: Headers | HeaderRecord, name: string): string | null {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name);
  const values = Object.entries(headers as HeaderRecord).filter(([key]) => key.toLowerCase() === name);
  const [[, value] = []] = values;
  return values.length === 1 && typeof value === 'string' ? value : null;
}
