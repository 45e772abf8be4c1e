import { plainWord, NO_VARIANT, ONLY_VARIATION } from '../formats/words.js';
import { Unfit } from '../problem.js';
import { nameKey } from '../values/name-key.generated.js';
import type { Line } from './line.js';

/** An option and its value: a variant has one of them. */
export interface Option {
  title: string;
  value: string;
}

/** Between what several options make of one together, as the dashboard names them: "Size / Colour". */
const JOINT = ' / ';

/** Whether the line has the value of an option, and so is that of a variant. */
export function hasOption(line: Line): boolean {
  if (line.filled('variantId') || line.filled('variant')) return true;
  const values = line.places.flatMap((place) => line.filled('optionValue', place) ?? []);
  if (values.length > 0) return !values.every((value) => NO_VARIANT.has(plainWord(value)));
  return ['valueList', 'ownOption', 'variantTitle'].some((field) => line.filled(field as 'valueList'));
}

/** Square's only variation of an item is the item itself. */
export const isOnlyVariation = (line: Line) =>
  ONLY_VARIATION.has(plainWord(line.filled('variantTitle') ?? '')) &&
  !line.places.some((place) => line.filled('optionValue', place));

/** The names of options that stand in one line of a product only. */
export type OptionNames = Map<number, string>;

export function namesIn(lines: Line[]): OptionNames {
  const names: OptionNames = new Map();
  for (const line of lines) {
    for (const place of line.places) {
      const name = line.filled('optionName', place);
      if (name && !names.has(place)) names.set(place, name);
    }
  }
  return names;
}

/**
 * The variants of a product whose line lists the values of its options, as Wix does where all cost the same:
 * every combination of them.
 */
export function listedOptions(line: Line, names: OptionNames): Option[] {
  const lists = line.places.flatMap((place) => {
    const [title, cell] = [names.get(place), line.filled('optionValue', place)];
    const values = cell?.split(';').map(valueIn).filter(Boolean) ?? [];
    return title && (values.length > 1 || cell?.startsWith('#')) ? [{ title, values }] : [];
  });
  if (lists.length === 0) return [];
  const rows = lists.reduce<string[][]>(
    (all, { values }) => all.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  );
  const title = lists.map((list) => list.title).join(JOINT);
  return rows.map((row) => ({ title, value: row.join(JOINT) }));
}

/** `#000000:Black` of a colour, `S:0` with its place. */
const valueIn = (text: string) => text.replace(/^#[\da-f]{3,8}:/i, '').trim();
const beforeColon = (text: string) => text.split(':')[0].trim();

/**
 * The option and value of a variant's line. Several options become one.
 * @param known the names of the options of stored variants of the same product
 * @throws Unfit
 */
export function optionOf(line: Line, names: OptionNames, known: string[] = []): Option {
  const parts = partsOf(line, names);
  if (parts.length > 0)
    return {
      title: parts.map(({ title }) => title).join(JOINT),
      value: parts.map(({ value }) => value).join(JOINT),
    };
  const variant = line.filled('variant');
  if (!variant) throw new Unfit('noOption');
  return splitVariant(variant, known, line);
}

function partsOf(line: Line, names: OptionNames): Option[] {
  const numbered = line.places.flatMap((place): Option[] => {
    const value = line.filled('optionValue', place);
    const title = names.get(place);
    if (!value) return [];
    if (!title) throw new Unfit('noOption', undefined, line.heading('optionName'));
    return [{ title, value: valueIn(value) }];
  });
  if (numbered.length > 0) return numbered;
  const listed = line.filled('valueList')?.split(',').map(beforeColon).filter(Boolean) ?? [];
  if (listed.length > 0) {
    const titles = line.filled('optionList')?.split(',').map(beforeColon).filter(Boolean) ?? [];
    if (titles.length !== listed.length) throw new Unfit('noOption', undefined, line.heading('optionList'));
    return listed.map((value, i) => ({ title: titles[i], value }));
  }
  const own = line.all('ownOption').map(({ heading, text }) => ({ title: heading, value: text }));
  if (own.length > 0) return own;
  const title = line.filled('variantTitle');
  return title && !line.filled('variant') ? [{ title: line.heading('variantTitle'), value: title }] : [];
}

/**
 * `Size: M` is the value M of the option Size. With more than one colon there are several ways to read it;
 * that of a stored option is taken.
 */
function splitVariant(text: string, known: string[], line: Line): Option {
  const ways = [...text.matchAll(/: /g)]
    .map(({ index }) => ({
      title: text.slice(0, index).trim(),
      value: text.slice(index + 2).trim(),
    }))
    .filter(({ title, value }) => title && value);
  const stored = ways.filter(({ title }) =>
    known.some((name) => nameKey(name).startsWith(nameKey(`${title}: x`).slice(0, -1))),
  );
  const sure = stored.length === 1 ? stored : ways;
  if (sure.length !== 1) throw new Unfit('variant', text, line.heading('variant'));
  return sure[0];
}
