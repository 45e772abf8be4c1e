import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** The form of Standard Webhooks: 32 bytes in base64. Secrets of earlier versions are in base64url. */
const STANDARD_SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** What signs a store's webhooks. */
export interface SigningSecrets {
  secret: string;
  /** The secret before the last rotation, while it signs too. */
  previousSecret?: string;
}

/** The contents of a webhook request's headers. `body` is the exact bytes that are sent. */
export interface SignedDelivery extends SigningSecrets {
  event: string;
  deliveryId: string;
  body: Buffer;
  /** When the attempt is made. */
  at: Date;
  /** That of the call that caused the delivery; none if it is not known. */
  requestId?: string | null;
}

/** The purpose with which the secret of a store's webhook is sealed. */
export const secretPurpose = (storeId: string) => `webhook:${storeId}`;

/** A new signing secret: `whsec_` and 256 random bits in base64. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
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
 * All headers that the specification requires of a webhook request (Events, Request), those of Standard
 * Webhooks if a secret has its form, and the id of the request that caused it.
 */
export function webhookHeaders(delivery: SignedDelivery): Record<string, string> {
  const { event, deliveryId, secret, body, requestId } = delivery;
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Shop-Webhooks/1',
    'X-Shop-Event': event,
    'X-Shop-Delivery': deliveryId,
    'X-Shop-Signature': sign(secret, body),
    ...standardHeaders(delivery),
    ...(requestId && { 'X-Request-Id': requestId }),
  };
}

/**
 * The headers of Standard Webhooks (its specification, section "Signature scheme"), by which the libraries of
 * that project verify: `v1,` and the base64 HMAC-SHA256 of id, time in seconds and body, for each secret. The
 * keys are the decoded bytes of the secrets. Empty if no secret has the form.
 */
function standardHeaders({ deliveryId, at, body, ...secrets }: SignedDelivery): Record<string, string> {
  const keys = [secrets.secret, secrets.previousSecret ?? ''].filter((secret) =>
    STANDARD_SECRET.test(secret),
  );
  if (keys.length === 0) return {};
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatureOf = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
      .update(`${deliveryId}.${timestamp}.`)
      .update(body)
      .digest('base64');
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((secret) => `v1,${signatureOf(secret)}`).join(' '),
  };
}
