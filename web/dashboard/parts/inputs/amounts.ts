/** Converts to minor units and rounds, because of binary fractions: 19.99 becomes 1999. */
export const toMinor = (major: number, decimals: number) => Math.round(major * 10 ** decimals);

/** The sign between groups of three digits, where the language's is a comma or a point. */
const GROUP: Record<string, string> = { en: ',' };
const IN_GROUPS = /^\d{1,3}([.,]\d{3})+$/;

/**
 * Reads a number as people write it: 1200.5, 1200,5, 1,200.50, 1.200,50, 1 200,50. A single sign before three
 * digits is that of the language.
 * @returns null for an empty text, undefined for one that is no number or has more decimals
 */
export function readNumber(text: string, decimals: number, language: string): number | null | undefined {
  const [, minus, plain] = /^([-−+]?)(.*)$/s.exec(text.replace(/[\s'’]/g, ''))!;
  if (minus + plain === '') return null;
  const sign = decimalSign(plain, language);
  const [whole, fraction = ''] = sign ? plain.split(sign) : [plain];
  if (sign && plain.split(sign).length > 2) return undefined;
  if (!/^\d*$/.test(whole) && !IN_GROUPS.test(whole)) return undefined;
  if (!/^\d*$/.test(fraction) || fraction.length > decimals || whole + fraction === '') return undefined;
  const value = Number(`${whole.replace(/[.,]/g, '')}.${fraction}`);
  return minus === '-' || minus === '−' ? -value : value;
}

/** The decimal sign of a number without its minus; undefined if its signs, if any, separate groups. */
function decimalSign(plain: string, language: string): string | undefined {
  const signs = plain.match(/[.,]/g) ?? [];
  const last = signs.at(-1);
  if (new Set(signs).size === 2) return last;
  const isGroups = IN_GROUPS.test(plain) && (signs.length > 1 || last === GROUP[language]);
  return isGroups ? undefined : last;
}

/**
 * A typed number as an address keeps it, which readers of every language share: with a point and without
 * groups, or as it was typed if it is no number.
 */
export function keptNumber(text: string, decimals: number, language: string): string {
  const read = readNumber(text, decimals, language);
  return read === undefined ? text.trim() : String(read ?? '');
}

/** Reads what an address keeps: null for nothing, undefined for a text that is no number. */
export function numberKept(text = '', decimals: number): number | null | undefined {
  if (text === '') return null;
  const found = /^\d+(?:\.(\d+))?$/.exec(text);
  return found && (found[1] ?? '').length <= decimals ? Number(text) : undefined;
}

/** Between several amounts: no number has a blank after a comma. */
const BETWEEN = /[;\n]|,\s+/;

/**
 * Reads the amounts above zero of typed texts, in minor units. A text may have several: "5, 10". Any other
 * text is given back as it was typed, because to split or drop it would alter what somebody meant.
 */
export function readAmounts(
  texts: string[],
  decimals: number,
  language: string,
): { amounts: number[]; unread: string[] } {
  const amounts: number[] = [];
  const unread: string[] = [];
  for (const text of texts) {
    const parts = text.split(BETWEEN).filter((part) => part.trim() !== '');
    const read = parts.map((part) => readNumber(part, decimals, language) ?? 0);
    if (read.every((amount) => amount > 0)) amounts.push(...read.map((amount) => toMinor(amount, decimals)));
    else unread.push(text);
  }
  return { amounts: [...new Set(amounts)], unread };
}
