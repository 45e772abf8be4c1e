import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** The contents of a webhook request's headers. `body` is the exact bytes that are sent. */
export interface SignedDelivery {
  event: string;
  deliveryId: string;
  secret: string;
  body: Buffer;
  /** That of the call that caused the delivery; none if it is not known. */
  requestId?: string | null;
}

/** The purpose with which the secret of a store's webhook is sealed. */
export const secretPurpose = (storeId: string) => `webhook:${storeId}`;

/** A new signing secret: `whsec_` and 256 random bits in base64url. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Signs the raw bytes of the body: lowercase hexadecimal HMAC-SHA256 (RFC 2104), the value of the header
 * X-Shop-Signature. The key is the whole secret as its owner sees it, including `whsec_`; nothing is decoded.
 */
export function sign(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Whether `signature` is right for this secret and body. Compares in constant time. */
export function verify(secret: string, body: Buffer, signature: string): boolean {
  const expected = Buffer.from(sign(secret, body));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * All headers that the specification requires of a webhook request (Events, Request), and the id of the
 * request that caused it.
 */
export function webhookHeaders({
  event,
  deliveryId,
  secret,
  body,
  requestId,
}: SignedDelivery): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Shop-Webhooks/1',
    'X-Shop-Event': event,
    'X-Shop-Delivery': deliveryId,
    'X-Shop-Signature': sign(secret, body),
    ...(requestId && { 'X-Request-Id': requestId }),
  };
}
