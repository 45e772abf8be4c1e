import type { components } from './generated/schema.js';

/** The body of a webhook, with the order as `get_order` returned it at the time of the event. */
export interface WebhookEvent {
  /** The delivery id, which is the same on every attempt. Ignore an id that you have already handled. */
  id: string;
  event: 'order.created' | 'order.updated';
  /** ISO 8601, UTC. */
  createdAt: string;
  data: components['schemas']['Order'];
  /** Present on events that the shop sends to try the webhook. Do not book them. */
  test?: true;
}

/** The request is not a genuine webhook of the service. Answer it with 400 and do not use its body. */
export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook';
}

type HeaderRecord = Record<string, string | string[] | undefined>;

/**
 * Checks the signature of a webhook request and returns its event. Genuine is what any of the secrets has
 * signed, in X-Shop-Signature or in webhook-signature, where the old secret signs too while a rotation
 * overlaps. Uses Web Crypto, which is available in Node and in browsers.
 * @param rawBody the exact bytes that were received, or their text; never a body that was parsed and
 * serialized again
 * @param headers the headers of the request, from `fetch` or from Node's `http`
 * @param secret the signing secret, including `whsec_`, or several
 * @throws InvalidWebhook if a header is missing, or if no signature matches the body; TypeError for an empty
 * secret
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: Headers | HeaderRecord,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody);
  const signatures = signaturesOf(headers, body);
  if (signatures.length === 0)
    throw new InvalidWebhook('The header X-Shop-Signature is missing or is not 64 hexadecimal digits');
  const secrets = typeof secret === 'string' ? [secret] : secret;
  // Anybody can sign with an empty one, such as that of a variable without a value.
  if (secrets.includes('')) throw new TypeError('secret must not be empty');
  const matches = await Promise.all(
    secrets.flatMap((one) => signatures.map((signature) => isMadeWith(one, signature))),
  );
  if (!matches.includes(true))
    throw new InvalidWebhook('X-Shop-Signature is not the signature of this body with this secret');
  const event = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  if (header(headers, 'x-shop-delivery') !== event.id)
    throw new InvalidWebhook('X-Shop-Delivery is not the id of the body');
  return event;
}

type Bytes = Uint8Array<ArrayBuffer>;

interface Signature {
  bytes: Bytes;
  /** What is signed. */
  signed: Bytes;
  /** The key that a secret stands for; null if it cannot be that of such a signature. */
  keyOf: (secret: string) => Bytes | null;
}

/** The service sends two at most, and a request with hundreds must not cost as many computations. */
const MOST_SIGNATURES = 4;
const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]{43}=)$/;

function signaturesOf(headers: Headers | HeaderRecord, body: Bytes): Signature[] {
  const found: Signature[] = [];
  const own = header(headers, 'x-shop-signature');
  if (own !== null && /^[0-9a-f]{64}$/.test(own)) {
    const bytes = Uint8Array.from(own.match(/../g)!, (pair) => Number.parseInt(pair, 16));
    found.push({ bytes, signed: body, keyOf: bytesOf });
  }
  const standard = header(headers, 'webhook-signature')?.split(' ').slice(0, MOST_SIGNATURES) ?? [];
  if (standard.length === 0) return found;
  const start = bytesOf(`${header(headers, 'webhook-id')}.${header(headers, 'webhook-timestamp')}.`);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const keyOf = (secret: string) => {
    const [, key] = STANDARD_SECRET.exec(secret) ?? [];
    return key === undefined ? null : fromBase64(key);
  };
  for (const one of standard) {
    const [, text] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one) ?? [];
    if (text !== undefined) found.push({ bytes: fromBase64(text), signed, keyOf });
  }
  return found;
}

/** Verifies the signature with `subtle.verify`, which compares in constant time. */
async function isMadeWith(secret: string, { bytes, signed, keyOf }: Signature): Promise<boolean> {
  const raw = keyOf(secret);
  if (raw === null) return false;
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', raw, algorithm, false, ['verify']);
  return subtle.verify(algorithm, key, bytes, signed);
}

const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

function bytesOf(body: string | Uint8Array | ArrayBuffer): Bytes {
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
