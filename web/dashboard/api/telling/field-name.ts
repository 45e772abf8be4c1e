import { words } from '../../words/all';

/** A field's name for people: `itemAmount` becomes "Item amount" unless `words` has a better name. */
export function fieldName(name: string): string {
  const spaced = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.fields[name] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
