import { isSecretKey } from '../../platform/store/audit.js';
import { isPlainObject } from '../../platform/schema/fields.js';
import { invalidInput } from '../../platform/errors.js';

/** A provider's metadata: the caller's own keys, some of which hold secrets (docs/behaviour.md §5). */
export type Metadata = Record<string, unknown>;

const DOTS = '••••';
/** How many characters a hint shows (docs/behaviour.md §5); of a secret no longer than that it shows none. */
const HINT = 4;
const MASKED = new RegExp(`^${DOTS}.{0,${HINT}}$`, 'su');

/** A value under a secret key, `stored` being what the same place holds so far. */
type OnSecret = (value: unknown, stored: unknown, path: string) => unknown;

/** The last 4 characters; null for a secret that has no others. */
export function lastCharacters(secret: string): string | null {
  const characters = [...secret];
  return characters.length <= HINT ? null : characters.slice(-HINT).join('');
}

/** The metadata as callers may see it: each secret value as dots and its last characters. */
export function maskMetadata(metadata: Metadata): Metadata {
  return mapSecrets(metadata, undefined, 'metadata', false, mask) as Metadata;
}

/**
 * The metadata to store when `given` was made from an answer: a secret that still is the mask of the stored one keeps it.
 * @throws OperationError invalid_input for a mask of anything else, which would be stored in place of a secret
 */
export function unmaskMetadata(given: Metadata, stored: Metadata | null, path = 'metadata'): Metadata {
  return mapSecrets(given, stored, path, false, (value, kept, at) => {
    if (typeof value !== 'string' || !isMask(value)) return value;
    if (isLeaf(kept) && mask(kept) === value) return kept;
    throw invalidInput(`${at} is masked and does not stand for the stored secret: send the secret itself`);
  }) as Metadata;
}

/** Copies a value with what stands under secret keys, at any depth, replaced. */
function mapSecrets(value: unknown, stored: unknown, path: string, secret: boolean, onSecret: OnSecret): unknown {
  if (Array.isArray(value)) {
    const kept = Array.isArray(stored) ? stored : [];
    return value.map((item, i) => mapSecrets(item, kept[i], `${path}[${i}]`, secret, onSecret));
  }
  if (isPlainObject(value)) {
    const kept = isPlainObject(stored) ? new Map(Object.entries(stored)) : new Map<string, unknown>();
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        mapSecrets(inner, kept.get(key), `${path}.${key}`, secret || isSecretKey(key), onSecret),
      ]),
    );
  }
  return secret ? onSecret(value, stored, path) : value;
}

/** Dots and the last characters, which are a mask's own mask too. */
export function mask(value: unknown): unknown {
  if (value === null || value === '') return value;
  return DOTS + (lastCharacters(String(value)) ?? '');
}

export const isMask = (value: string) => MASKED.test(value);
const isLeaf = (value: unknown) => value !== undefined && value !== null && typeof value !== 'object';
