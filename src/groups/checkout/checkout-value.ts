import { isDay, isEmail } from '../../platform/schema/formats.js';

export type CheckoutFieldType =
  | 'text'
  | 'email'
  | 'phone'
  | 'select'
  | 'checkbox'
  | 'textarea'
  | 'date'
  | 'label'
  | 'warning'
  | 'info'
  | 'bonus_toggle'
  | 'promocode_input'
  | 'payment_button';

export interface CheckoutProblem {
  path: string;
  message: string;
  /** What is wrong, for pages (docs/behaviour.md §11). */
  problem: 'answer_missing' | 'answer_wrong' | 'bonus_not_asked' | 'promocode_not_asked';
  /** The field that it is about; absent if it is about none. */
  fieldId?: string;
  /** Whether a required value is missing, which a quote need not have yet. */
  isMissing?: true;
}

const DISPLAY_ONLY: ReadonlySet<CheckoutFieldType> = new Set(['label', 'warning', 'info', 'payment_button']);

/** Digits of any script, with what people write between them, and an extension. */
const PHONE = /^(\(?\+?[\p{Nd}\s()./\p{Pd}]{1,40}?)(?:(?:x|ext|доб|#)[.:\s]*\p{Nd}{1,6})?$/iu;

/**
 * Whether the shopper fills in the field. Fields of other types only show something or take effect elsewhere.
 */
export function collectsValue(type: CheckoutFieldType): boolean {
  return !DISPLAY_ONLY.has(type);
}

/** Whether the value is 'true' or 'false'. */
const isTicked = (type: CheckoutFieldType) => type === 'checkbox' || type === 'bonus_toggle';

/** Whether a form can produce the value: a string, a number, a boolean or nothing. */
export function isReadable(value: unknown): boolean {
  return value === undefined || value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * A row's value as conditions compare it, which is trimmed text. An unticked checkbox is 'false', whether it
 * was sent or not.
 */
export function valueText(type: CheckoutFieldType, value: unknown): string {
  const text = isReadable(value) ? String(value ?? '').trim() : '';
  if (!isTicked(type)) return text;
  return text === '' ? 'false' : text.toLowerCase();
}

/** Whether the text from `valueText` counts as empty. That of an unticked checkbox does. */
export function isEmptyText(type: CheckoutFieldType, text: string): boolean {
  return text === '' || (isTicked(type) && text === 'false');
}

/** The choices of a select: one per line, or separated by commas if `options` is a single line. */
export function selectOptions(options: string | null | undefined): string[] {
  const listed = (options ?? '').trim();
  const separator = /[\r\n]/.test(listed) ? /[\r\n]+/ : ',';
  return listed
    .split(separator)
    .map((option) => option.trim())
    .filter((option) => option !== '');
}

/**
 * Describes what is wrong with a value that is present, worded to follow the field's path; null if nothing
 * is. The checks are deliberately light: they find typing mistakes, but do not prove that an address exists.
 * A select without options accepts any value.
 */
export function formatProblem(
  type: CheckoutFieldType,
  text: string,
  options: string | null | undefined,
): string | null {
  switch (type) {
    case 'email':
      return isEmail(text) ? null : 'must be an e-mail address';
    case 'phone':
      return isPhone(text) ? null : 'must be a phone number of 5 to 15 digits';
    case 'date':
      return isDay(text) ? null : 'must be a calendar day as YYYY-MM-DD';
    case 'checkbox':
    case 'bonus_toggle':
      return text === 'true' || text === 'false' ? null : 'must be "true" or "false"';
    case 'select': {
      const allowed = selectOptions(options);
      return allowed.length === 0 || allowed.includes(text) ? null : `must be one of ${allowed.join(', ')}`;
    }
    default:
      return null;
  }
}

/** Invisible characters come with pasted numbers. */
function isPhone(text: string): boolean {
  const number = PHONE.exec(text.normalize('NFKC').replace(/\p{Cf}/gu, ''))?.[1] ?? '';
  const digits = number.match(/\p{Nd}/gu)?.length ?? 0;
  return digits >= 5 && digits <= 15;
}
