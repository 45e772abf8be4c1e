import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /\b([0-9a-f]{8})\.[A-Za-z0-9+/]{38,}={0,2}/g;

/**
 * Encrypts secrets at rest with AES-256-GCM. A sealed value is `<key id>.<base64 of iv, tag, ciphertext>`;
 * the key id is kept so that keys can be rotated: the first key seals, every key opens.
 */
export class SecretBox {
  private readonly keys = new Map<string, Buffer>();
  /** The id of the key that seals new values. */
  readonly sealingKeyId: string;
  /** Fingerprints of the configured keys, by which the database identifies them. */
  readonly fingerprints: string[];

  /** @param keys base64, 32 bytes each, the current one first */
  constructor(keys: string[]) {
    this.fingerprints = keys.map(keyFingerprint);
    for (const key of keys) this.keys.set(keyId(key), Buffer.from(key, 'base64'));
    this.sealingKeyId = keyId(keys[0]);
  }

  /**
   * @param purpose binds the value to its place (for example `webhook:<store id>`), so that a copy stored
   * elsewhere cannot be opened
   */
  seal(plaintext: string | Buffer, purpose: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys.get(this.sealingKeyId)!, iv).setAAD(
      Buffer.from(purpose),
    );
    const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext;
    const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return `${this.sealingKeyId}.${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64')}`;
  }

  /** @throws Error when the key is not configured, or when the value or its purpose has changed */
  open(sealed: string, purpose: string): string {
    return this.openBytes(sealed, purpose).toString('utf8');
  }

  /** What was sealed as bytes. @throws as `open` */
  openBytes(sealed: string, purpose: string): Buffer {
    const [id, payload] = sealed.split('.');
    const key = this.keys.get(id);
    if (!key) throw new Error(`no encryption key with id ${id} is configured`);
    const bytes = Buffer.from(payload, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES)).setAAD(
      Buffer.from(purpose),
    );
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  }

  /**
   * Secrets for purposes other than sealing: one per key, the current key's first. Every instance derives the
   * same ones.
   */
  derived(purpose: string): string[] {
    return [...this.keys.values()].map((key) =>
      createHmac('sha256', key).update(`derived:${purpose}`).digest('base64url'),
    );
  }

  /**
   * Seals every sealed value in `text` again with the current key. `text` is one such value, or JSON that
   * contains some. Values already sealed with the current key stay as they are, and so does text that only
   * looks sealed.
   */
  reseal(text: string, purpose: string): string {
    return text.replace(SEALED, (sealed, id: string) =>
      id === this.sealingKeyId || !this.keys.has(id)
        ? sealed
        : this.seal(this.openBytes(sealed, purpose), purpose),
    );
  }
}

/** The prefix of a sealed value. It identifies the key and reveals nothing about it. */
export function keyId(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 8);
}

/** What the database stores to recognise a key. Keys are random, so a fingerprint does not reveal its key. */
export function keyFingerprint(key: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64'))
    .update('fingerprint of an encryption key')
    .digest('hex');
}
