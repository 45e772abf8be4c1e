import { Refusal } from '../../api/refusal';
import { words } from '../../words';
import { fieldInWords, inWords } from '../../api/in-words';

export interface Refused {
  /** The error of a field, or of a value inside it. */
  of: (field: string) => string | undefined;
  /** The error message if no field of the form shows one. */
  rest: string | null;
}

/** Nothing was typed, also in any row of a list. */
const isEmpty = (value: unknown) => [value].flat().every((one) => one === '');

/**
 * Divides a refusal for a form: errors of fields next to the fields, any other error above them.
 * @param values the sent values, by field
 */
export function refused(error: Error | null, values: Record<string, unknown>): Refused {
  const found = error instanceof Refusal ? Object.entries(error.fields) : [];
  const of = (field: string) => {
    const text = found.find(
      ([path]) => path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`),
    )?.[1];
    if (text === undefined) return undefined;
    return isEmpty(values[field]) ? words.refusals.required : fieldInWords(text);
  };
  return { of, rest: error && !Object.keys(values).some(of) ? inWords(error) : null };
}
