import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto';

// The form in which push services take a message: RFC 8291 (encryption for the browser, which the service
// cannot read) and RFC 8292 (proof of the sender). The package web-push is not used, because its licence is
// not permissive, and because it makes its own connections, past the guard of addresses.

/** Where and how a browser is reached: its push service's address, and the keys that the browser made. */
export interface PushTarget {
  endpoint: string;
  /** A point of P-256, uncompressed, in base64url. */
  p256dh: string;
  /** 16 bytes in base64url. */
  auth: string;
}

/** A pair of keys of P-256, raw, in base64url. */
export interface PushKeyPair {
  publicKey: string;
  privateKey: string;
}

const CURVE = 'prime256v1';
/** In bytes: of one record, which holds the whole message. */
const RECORD = 4096;
/** Marks the end of the last record. */
const LAST = Buffer.from([2]);
/** How long a proof is good for, in seconds; push services take at most 24 hours. */
const PROOF_LIFE = 12 * 3600;

const bytesOf = (text: string) => Buffer.from(text, 'base64url');
const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

export function newKeyPair(): PushKeyPair {
  const ecdh = createECDH(CURVE);
  const publicKey = ecdh.generateKeys('base64url');
  // Leading zeros are part of a raw key.
  const privateKey = ecdh.getPrivateKey().toString('hex').padStart(64, '0');
  return { publicKey, privateKey: Buffer.from(privateKey, 'hex').toString('base64url') };
}

/** Whether the browser's keys are such with which a message can be encrypted. */
export function areUsable({ p256dh, auth }: PushTarget): boolean {
  try {
    const ecdh = createECDH(CURVE);
    ecdh.generateKeys();
    ecdh.computeSecret(bytesOf(p256dh));
    return bytesOf(p256dh).length === 65 && bytesOf(auth).length === 16;
  } catch {
    return false;
  }
}

/** @param salt and @param sender are random, except for the example of RFC 8291 */
export function encrypt(
  text: string,
  { p256dh, auth }: PushTarget,
  salt = randomBytes(16),
  sender = newKeyPair(),
): Buffer {
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(bytesOf(sender.privateKey));
  const [receiverKey, senderKey] = [bytesOf(p256dh), bytesOf(sender.publicKey)];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey]);
  const shared = derive(ecdh.computeSecret(receiverKey), bytesOf(auth), info, 32);
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(shared, salt, 'Content-Encoding: nonce\0', 12);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = [cipher.update(text, 'utf8'), cipher.update(LAST), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, size, Buffer.from([senderKey.length]), senderKey, ...sealed]);
}

/**
 * The header that proves who sends.
 * @param contact an address by which the operators of the push service can find the sender
 */
export function proofOf(endpoint: string, keys: PushKeyPair, contact: string, now: Date): string {
  const point = bytesOf(keys.publicKey);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', x, y, d: keys.privateKey },
    format: 'jwk',
  });
  const exp = Math.floor(now.getTime() / 1000) + PROOF_LIFE;
  const claims = { aud: new URL(endpoint).origin, exp, sub: contact };
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${keys.publicKey}`;
}
