import { isPlainObject } from '../../platform/schema/json/parse-input.js';

type Details = Record<string, unknown>;

const CONTACT = ['name', 'phone_number', 'email'];
const ADDRESS = ['country_code', 'state', 'city', 'street_line1', 'street_line2', 'post_code'];

/**
 * What the payer typed into the payment form, under the messenger's keys
 * (https://core.telegram.org/bots/api#orderinfo); null if there is nothing.
 */
export function payerDetails(info: unknown): Details | null {
  const contact = textsOf(info, CONTACT);
  const address = textsOf(isPlainObject(info) ? info.shipping_address : null, ADDRESS);
  if (!contact && !address) return null;
  return { ...contact, ...(address ? { shipping_address: address } : {}) };
}

/** The texts under these keys that can be stored; null if there are none. */
function textsOf(value: unknown, keys: string[]): Record<string, string> | null {
  if (!isPlainObject(value)) return null;
  const texts = keys.flatMap((key) => {
    const text = value[key];
    return typeof text === 'string' && text !== '' && text.isWellFormed() && !text.includes('\0')
      ? [[key, text]]
      : [];
  });
  return texts.length > 0 ? (Object.fromEntries(texts) as Record<string, string>) : null;
}

/**
 * The order's own details with what the payer typed where the order has nothing of its own. A form that was
 * left empty often comes as nulls, blanks or empty objects: these are nobody's own.
 */
export function joined(own: Details | null, typed: Details): Details {
  const merged = new Map(Object.entries(own ?? {}));
  for (const [key, value] of Object.entries(typed)) {
    const mine = merged.get(key);
    if (isEmpty(mine)) merged.set(key, value);
    else if (isPlainObject(mine) && isPlainObject(value)) merged.set(key, joined(mine, value));
  }
  return Object.fromEntries(merged);
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isEmpty);
  if (isPlainObject(value)) return Object.values(value).every(isEmpty);
  return value === null || value === undefined;
}
