import { isSecretKey } from '../../platform/store/audit.js';
import { isPlainObject } from '../../platform/schema/json/parse-input.js';
import { invalidInput } from '../../platform/errors.js';

/** A provider's metadata: the caller's own keys, some of which hold secrets (docs/behaviour.md §5). */
export type Metadata = Record<string, unknown>;

const DOTS = '••••';
/**
 * The number of characters that a hint shows (docs/behaviour.md §5). The hint of a secret that is not longer
 * shows none.
 */
const HINT = 4;
const MASKED = new RegExp(`^${DOTS}.{0,${HINT}}$`, 'su');

/**
 * Returns the replacement of a value under a secret key. `stored` is the value that is stored in the same
 * place.
 */
type OnSecret = (value: unknown, stored: unknown, path: string) => unknown;

/** The last 4 characters; null if the secret has no others. */
export function lastCharacters(secret: string): string | null {
  const characters = [...secret];
  return characters.length <= HINT ? null : characters.slice(-HINT).join('');
}

/** The metadata as callers may see it: each secret value is shown as dots and its last characters. */
export function maskMetadata(metadata: Metadata): Metadata {
  return mapSecrets(metadata, undefined, 'metadata', false, mask) as Metadata;
}

/**
 * The metadata to store if `given` was made from an earlier answer: a secret that is still the mask of the
 * stored one keeps the stored value.
 * @throws OperationError invalid_input for any other mask, which would be stored in place of a secret
 */
export function unmaskMetadata(given: Metadata, stored: Metadata | null, path = 'metadata'): Metadata {
  return mapSecrets(given, stored, path, false, (value, kept, at) => {
    if (typeof value !== 'string' || !isMask(value)) return value;
    if (isLeaf(kept) && mask(kept) === value) return kept;
    throw invalidInput(
      `${at} is masked and does not stand for the stored secret: send the secret itself`,
    ).about('masked', { path: at });
  }) as Metadata;
}

/** Whether both have the same secrets in the same places, so that masks of one stand for them too. */
export function haveSameSecrets(some: Metadata, others: Metadata): boolean {
  const secretsOf = (metadata: Metadata) => {
    const secrets: string[] = [];
    mapSecrets(metadata, undefined, '', false, (value, _stored, path) => {
      secrets.push(JSON.stringify([path, value]));
      return value;
    });
    return secrets.sort().join();
  };
  return secretsOf(some) === secretsOf(others);
}

/** Copies a value and replaces everything under secret keys, at any depth. */
function mapSecrets(
  value: unknown,
  stored: unknown,
  path: string,
  secret: boolean,
  onSecret: OnSecret,
): unknown {
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

/** Dots and the last characters. The mask of a mask is the mask itself. */
export function mask(value: unknown): unknown {
  if (value === null || value === '') return value;
  return DOTS + (lastCharacters(String(value)) ?? '');
}

export const isMask = (value: string) => MASKED.test(value);
const isLeaf = (value: unknown) => value !== undefined && value !== null && typeof value !== 'object';
