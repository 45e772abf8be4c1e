import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'shop_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new API token: the live prefix, 32 random letters and digits (190 bits), and a checksum of them (docs/behaviour.md §2.1). */
export function newToken(): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    // 248 is the largest multiple of 62 below 256: every letter is equally likely.
    for (const byte of randomBytes(64)) if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % 62];
  }
  return PREFIX + random + checksum(random);
}

/** Whether the text can be a token at all: a mistyped one is refused without a look-up. */
export function isWellFormedToken(token: string): boolean {
  if (!FORM.test(token)) return false;
  const random = token.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return checksum(random) === token.slice(-CHECKSUM_LENGTH);
}

/** What is stored instead of the token. It is random, so a fast hash is enough. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
