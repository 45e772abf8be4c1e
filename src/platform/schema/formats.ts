import { parseUrl } from '../text/url.js';

// The string formats of inputs and outputs (docs/behaviour.md §1.5).

export function isUri(value: string, protocols: readonly string[] = ['http:', 'https:']): boolean {
  // WHATWG parsing repairs white space and control characters. An address that needs repair is not accepted.
  const url = /[\s\u0000-\u001f<>"\\^`{|}]/.test(value) ? null : parseUrl(value);
  if (!url || !protocols.includes(url.protocol)) return false;
  const { protocol, host } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return true;
  return host !== '' && /^https?:\/\/[^/]/i.test(value);
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A real calendar day, YYYY-MM-DD. */
export function isDay(value: string): boolean {
  const [, year, month, day] = DAY.exec(value) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(+year, +month - 1, +day));
  date.setUTCFullYear(+year);
  return date.getUTCFullYear() === +year && date.getUTCMonth() === +month - 1 && date.getUTCDate() === +day;
}

/** Letters and digits of host names, also of those in other scripts. */
const LETTER = 'a-zA-Z0-9\\u00c0-\\u167f\\u1681-\\u1fff\\u3040-\\ud7ff';
const LABEL = `[${LETTER}](?:[${LETTER}-]{0,61}[${LETTER}])?`;
const MAILBOX = '[^\\s@<>"(),:;\\\\[\\]\\ufe64\\ufe65\\uff00-\\uffef]+';
/**
 * An e-mail address (docs/behaviour.md §12): a name without what a mail server reads as something else, such
 * as the brackets around an address, also in their wide forms, and a host name of at least two labels, of
 * which the last is no number.
 */
export const EMAIL = new RegExp(`^${MAILBOX}@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`);
/** RFC 5321 §4.5.3.1.3. */
export const MAX_EMAIL = 254;

/** The length is checked first, because the cost of the pattern grows with the square of the length. */
export const isEmail = (value: string) => value.length <= MAX_EMAIL && EMAIL.test(value);

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-](\d{2}):(\d{2}))$/;

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * RFC 3339 with an offset, within the years 1 to 9999 also in UTC. Leap seconds are refused, because
 * JavaScript cannot represent them.
 */
export function isDateTime(value: string): boolean {
  const [, day, hour, minute, second, , , offsetHour, offsetMinute] = DATE_TIME.exec(value) ?? [];
  if (day === undefined || !isDay(day)) return false;
  if (+hour > 23 || +minute > 59 || +second > 59 || +(offsetHour ?? 0) > 23 || +(offsetMinute ?? 0) > 59)
    return false;
  const instant = Date.parse(value);
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT;
}

/** A date-time as a Date; null and undefined stay as they are. */
export function momentOf(value: string): Date;
export function momentOf<Absent extends null | undefined>(value: string | Absent): Date | Absent;
export function momentOf(value: string | null | undefined): Date | null | undefined {
  return typeof value === 'string' ? new Date(value) : value;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** The length in Unicode code points, as in JSON Schema. */
function codePoints(value: string): number {
  let count = value.length;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < value.length) {
      const next = value.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        i++;
      }
    }
  }
  return count;
}

/**
 * Compares code points. For most strings the number of UTF-16 units is enough, since a code point has one or
 * two.
 */
export function isLongerThan(value: string, max: number): boolean {
  return value.length > max && (value.length > 2 * max || codePoints(value) > max);
}

export function isShorterThan(value: string, min: number): boolean {
  return value.length < min || (value.length < 2 * min && codePoints(value) < min);
}
