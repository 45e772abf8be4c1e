import { Refusal } from '../api/refusal';
import { words } from '../words';
import { fieldInWords, inWords } from './failure';

export interface Refused {
  /** What is wrong with a field, or with something inside it. */
  of: (field: string) => string | undefined;
  /** What no field of the form shows. */
  rest: string | null;
}

/** A refusal as a form shows it: beside the fields that it names, and above them what is left. @param values what was sent, by field */
export function refused(error: Error | null, values: Record<string, unknown>): Refused {
  const found = error instanceof Refusal ? Object.entries(error.fields) : [];
  const of = (field: string) => {
    const text = found.find(([path]) => path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`))?.[1];
    if (text === undefined) return undefined;
    return values[field] === '' ? words.refusals.required : fieldInWords(text);
  };
  return { of, rest: error && !Object.keys(values).some(of) ? inWords(error) : null };
}
