import { problemsOf, Refusal } from '../../api/refusal';
import { words } from '../../words';
import { fieldInWords, inWords } from '../../api/telling/in-words';

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
  const found = error instanceof Refusal ? problemsOf(error.told) : [];
  const of = (field: string) => {
    const told = found.find(({ values: { path = '' } }) => {
      const at = String(path);
      return at === field || at.startsWith(`${field}[`) || at.startsWith(`${field}.`);
    });
    if (told === undefined) return undefined;
    return isEmpty(values[field]) ? words.refusals.required : fieldInWords(told);
  };
  return { of, rest: error && !Object.keys(values).some(of) ? inWords(error) : null };
}
