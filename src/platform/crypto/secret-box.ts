import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /\b([0-9a-f]{8})\.[A-Za-z0-9+/]{38,}={0,2}/g;

/**
 * Encrypts secrets at rest with AES-256-GCM. A sealed value is `<key id>.<base64 of iv, tag, ciphertext>`; the key id is
 * kept so that keys can be rotated: the first key seals, every key opens.
 */
export class SecretBox {
  private readonly keys = new Map<string, Buffer>();
  /** The id that every value sealed from now on begins with. */
  readonly sealingKeyId: string;

  /** @param keys base64, 32 bytes each, the current one first */
  /** Of the configured keys, by which the database knows them. */
  readonly fingerprints: string[];

  constructor(keys: string[]) {
    this.fingerprints = keys.map(keyFingerprint);
    for (const key of keys) this.keys.set(keyId(key), Buffer.from(key, 'base64'));
    this.sealingKeyId = keyId(keys[0]);
  }

  /** @param purpose binds the value to its place (for example `webhook:<store id>`), so a sealed value copied elsewhere does not open */
  seal(plaintext: string, purpose: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys.get(this.sealingKeyId)!, iv).setAAD(Buffer.from(purpose));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return `${this.sealingKeyId}.${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64')}`;
  }

  /** @throws Error when the key is not known, or the value or its purpose was changed */
  open(sealed: string, purpose: string): string {
    const [id, payload] = sealed.split('.');
    const key = this.keys.get(id);
    if (!key) throw new Error(`no encryption key with id ${id} is configured`);
    const bytes = Buffer.from(payload, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  /** Secrets for another purpose than sealing, one of each key, the current one first; the same on every instance. */
  derived(purpose: string): string[] {
    return [...this.keys.values()].map((key) => createHmac('sha256', key).update(`derived:${purpose}`).digest('base64url'));
  }

  /**
   * Seals every sealed value in `text` anew with the current key: `text` is one such value, or JSON that holds some. What is
   * sealed with the current key already stays as it is, and so does text that only looks sealed.
   */
  reseal(text: string, purpose: string): string {
    return text.replace(SEALED, (sealed, id: string) =>
      id === this.sealingKeyId || !this.keys.has(id) ? sealed : this.seal(this.open(sealed, purpose), purpose),
    );
  }
}

/** What a sealed value begins with: it names the key and says nothing of it. */
export function keyId(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 8);
}

/** What the database keeps of a key, to know it again. A key is random, so nothing leads back from it. */
export function keyFingerprint(key: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64')).update('fingerprint of an encryption key').digest('hex');
}
