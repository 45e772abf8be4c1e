/** Converts to minor units and rounds, because of binary fractions: 19.99 becomes 1999. */
export const toMinor = (major: number, decimals: number) => Math.round(major * 10 ** decimals);

/** The amounts above zero among typed texts, in minor units. The decimal sign may be a comma. */
export const minorAmounts = (texts: string[], decimals: number): number[] =>
  texts
    .map((text) => Number(text.replace(',', '.')))
    .filter((amount) => amount > 0)
    .map((amount) => toMinor(amount, decimals));
