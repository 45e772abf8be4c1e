import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The prefix of a token shows its kind: an API token, or an app's access or refresh token (docs/behaviour.md
 * §15).
 */
export const PREFIXES = { api: 'shop_live_', access: 'shop_oat_', refresh: 'shop_ort_' } as const;
export type TokenKind = keyof typeof PREFIXES;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const REST = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * A new token: its prefix, 32 random letters and digits (190 bits), and a checksum of them (docs/behaviour.md
 * §2.1).
 */
export function newToken(kind: TokenKind = 'api'): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    // 248 is the largest multiple of 62 below 256, so that every letter is equally likely.
    for (const byte of randomBytes(64))
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % 62];
  }
  return PREFIXES[kind] + random + checksum(random);
}

/** Whether the text has the form of such a token. A mistyped token is refused without a look-up. */
export function isWellFormedToken(token: string, kind: TokenKind = 'api'): boolean {
  if (!token.startsWith(PREFIXES[kind])) return false;
  const rest = token.slice(PREFIXES[kind].length);
  return REST.test(rest) && checksum(rest.slice(0, RANDOM_LENGTH)) === rest.slice(RANDOM_LENGTH);
}

/** The hash that is stored instead of the token. Tokens are random, so a fast hash is enough. */
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
