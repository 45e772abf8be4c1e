import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets at rest with AES-256-GCM. A sealed value is `<key id>.<base64 of iv, tag, ciphertext>`; the key id is
 * kept so that keys can be rotated: the first key seals, every key opens.
 */
export class SecretBox {
  private readonly keys = new Map<string, Buffer>();
  private readonly sealingKeyId: string;

  /** @param keys base64, 32 bytes each, the current one first */
  constructor(keys: string[]) {
    const raw = keys.map((key) => Buffer.from(key, 'base64'));
    for (const key of raw) this.keys.set(keyId(key), key);
    this.sealingKeyId = keyId(raw[0]);
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
}

/**
 * A password that every instance can derive from the shared key, for the database roles the service makes for itself.
 * It comes from the last key listed, the oldest, so that rotating in a new first key does not lock running instances out.
 */
export function derivePassword(keys: string[], purpose: string): string {
  return createHmac('sha256', Buffer.from(keys[keys.length - 1], 'base64'))
    .update(purpose)
    .digest('base64url');
}

function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}
