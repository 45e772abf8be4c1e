import { isPlainObject } from '../../platform/schema/json/parse-input.js';
import { invalidInput } from '../../platform/errors.js';
import {
  isMask,
  mask,
  maskMetadata,
  type Metadata,
  unmaskMetadata,
} from '../payment-providers/secret-metadata.js';
import { type CheckoutFieldRecord, holdsProviderSettings } from './checkout.dto.js';

/** The texts of a payment_button that contain its provider's settings, as they were given. */
export interface ButtonSettings {
  id: string;
  content?: string;
  options?: string;
}

const TEXTS = ['content', 'options'] as const;
/** JSON that is nested more deeply is treated as plain text, so all of it is secret. */
const MAX_DEPTH = 32;

/** The settings of the payment buttons, in the order of the fields. */
export function buttonSettings(fields: readonly CheckoutFieldRecord[]): ButtonSettings[] {
  return fields.filter(holdsProviderSettings).map(({ id, content, options }) => ({ id, content, options }));
}

/** The fields as callers may see them. Settings that are already masked stay as they are. */
export function maskButtons(fields: readonly CheckoutFieldRecord[]): CheckoutFieldRecord[] {
  return fields.map((field) =>
    holdsProviderSettings(field) ? withTexts(field, (text) => maskText(text)) : field,
  );
}

/**
 * The fields to store if `given` was made from an earlier answer: a text that is still the mask of the stored
 * settings of the button with that id keeps the stored value.
 * @throws OperationError invalid_input for any other mask, which would be stored in place of a secret
 */
export function unmaskButtons(
  given: readonly CheckoutFieldRecord[],
  stored: readonly ButtonSettings[],
): CheckoutFieldRecord[] {
  const left = [...stored];
  return given.map((field, i) => {
    if (!holdsProviderSettings(field)) return field;
    const place = left.findIndex(({ id }) => id === field.id);
    const [before] = place === -1 ? [] : left.splice(place, 1);
    return withTexts(field, (text, name) => unmaskText(text, before?.[name], `fields[${i}].${name}`));
  });
}

/** The settings of a button for its provider's row, if they are a JSON object; null for plain text. */
export function settingsOf({ content, options }: CheckoutFieldRecord): Metadata | null {
  const parsed = [content, options].map((text) => parse(text)).find(isPlainObject);
  return parsed ?? null;
}

function withTexts(
  field: CheckoutFieldRecord,
  change: (text: string, name: (typeof TEXTS)[number]) => string,
): CheckoutFieldRecord {
  const given = TEXTS.filter((name) => typeof field[name] === 'string');
  return { ...field, ...Object.fromEntries(given.map((name) => [name, change(field[name]!, name)])) };
}

/**
 * In JSON, the values of secret keys are masked, as in a provider's metadata. Any other text is masked as a
 * whole.
 */
function maskText(text: string): string {
  const parsed = parse(text);
  if (parsed === null) return mask(text) as string;
  const masked = JSON.stringify(maskMetadata(parsed));
  return masked === JSON.stringify(parsed) ? text : masked;
}

function unmaskText(text: string, stored: string | undefined, path: string): string {
  if (stored !== undefined && text === maskText(stored)) return stored;
  const parsed = parse(text);
  if (parsed !== null) {
    const kept = unmaskMetadata(parsed, stored === undefined ? null : parse(stored), path);
    return JSON.stringify(kept) === JSON.stringify(parsed) ? text : JSON.stringify(kept);
  }
  if (isMask(text))
    throw invalidInput(
      `${path} is masked and does not stand for the stored text: send the text itself`,
    ).about('masked', { path });
  return text;
}

/** The object or array that a text contains as JSON; null for any other text. */
function parse(text: string | undefined): Metadata | null {
  if (text === undefined || !/^\s*[[{]/.test(text)) return null;
  try {
    const value = JSON.parse(text) as Metadata;
    return isShallow(value, MAX_DEPTH) ? value : null;
  } catch {
    return null;
  }
}

const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)));
