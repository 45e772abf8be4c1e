/** The fewest digits that are searched as a phone number, and those of a whole number without its country. */
const FEWEST = 4;
const WHOLE = 7;

/**
 * The parameters of HAS_DIGITS. `digits` are those of the text, the last one first, or null if it is not a
 * phone number; `shorter` what they begin with, if it can be a whole number without its country.
 */
export function phoneDigits(text: string | undefined): { digits: string | null; shorter: string[] | null } {
  const found = text?.replace(/\D/g, '') ?? '';
  if (text === undefined || !/^[+\d\s().-]+$/.test(text) || found.length < FEWEST)
    return { digits: null, shorter: null };
  const digits = [...found].reverse().join('');
  const beginnings = [...digits].map((_, i) => digits.slice(0, i + 1));
  return { digits, shorter: beginnings.filter(({ length }) => length >= WHOLE) };
}

/**
 * SQL of whether the phone number `p` of an order has these digits at its end, or all of its digits are the
 * end of these.
 */
export const HAS_DIGITS = `(p.digits >= $digits?::text and p.digits < $digits? || ':'
  or p.digits = any($shorter?::text[]))`;
