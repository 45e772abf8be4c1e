/** What shoppers will read, and the name that only the store sees. */
export const EMPTY = { name: '', text: '', imageUrl: '', buttonText: '', buttonUrl: '' };
export type Message = typeof EMPTY;

/** A field that is empty is not sent. */
export const sentOf = <Values extends Record<string, string>>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<Values>;
