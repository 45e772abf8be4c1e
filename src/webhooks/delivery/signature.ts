import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** What the headers of one webhook request are made of. `body` is the bytes exactly as sent. */
export interface SignedDelivery {
  event: string;
  deliveryId: string;
  secret: string;
  body: Buffer;
}

/** What the secret of a store's webhook is sealed for. */
export const secretPurpose = (storeId: string) => `webhook:${storeId}`;

/** A new signing secret: `whsec_` and 256 random bits in base64url. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Signs the raw body bytes: lowercase hexadecimal HMAC-SHA256 (RFC 2104), as the header X-Shop-Signature carries it.
 * The key is the whole secret as its owner was shown it, `whsec_` included; nothing is decoded.
 */
export function sign(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Whether `signature` is what `sign` gives for this secret and body; the time taken does not show how much of it was right. */
export function verify(secret: string, body: Buffer, signature: string): boolean {
  const expected = Buffer.from(sign(secret, body));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The headers of a webhook request, all that the specification names (Events, Request). */
export function webhookHeaders({ event, deliveryId, secret, body }: SignedDelivery): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Shop-Webhooks/1',
    'X-Shop-Event': event,
    'X-Shop-Delivery': deliveryId,
    'X-Shop-Signature': sign(secret, body),
  };
}
