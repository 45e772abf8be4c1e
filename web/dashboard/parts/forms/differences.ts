import { fieldName } from '../../api/telling/field-name';
import { asText, dateTime, number } from '../values/format';

/** How a form names its fields and their values. */
export interface FieldTexts {
  /** By field; others, and what is no text, are left aside. */
  labels?: object;
  /** By field, the texts of the values that can be chosen. */
  choices?: Record<string, Record<string, string>>;
  /** The fields that are amounts, in major units or in minor ones. */
  major?: readonly string[];
  minor?: readonly string[];
}

interface Difference {
  label: string;
  yours: string;
  theirs: string;
}

type Path = (string | number)[];
type Leaf = [path: Path, yours: unknown, theirs: unknown];

/** Whether the parts of a value are shown, each on its own. A list of plain values is shown as one. */
const hasParts = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !(Array.isArray(value) && value.every((one) => typeof one !== 'object'));

const partsOf = (value: unknown) => (hasParts(value) ? (value as Record<string, unknown>) : {});

function leavesOf(path: Path, yours: unknown, theirs: unknown): Leaf[] {
  if (!hasParts(yours) && !hasParts(theirs)) return [[path, yours, theirs]];
  const [mine, other] = [partsOf(yours), partsOf(theirs)];
  return [...new Set([...Object.keys(mine), ...Object.keys(other)])]
    .filter((key) => JSON.stringify(mine[key]) !== JSON.stringify(other[key]))
    .flatMap((key) => leavesOf([...path, /^\d+$/.test(key) ? Number(key) : key], mine[key], other[key]));
}

/**
 * What was typed beside what is saved, as the form says it: each typed field, and of one that has parts those
 * that differ.
 */
export function differences(
  yours: Record<string, unknown>,
  theirs: Record<string, unknown>,
  { labels = {}, choices = {}, major = [], minor = [] }: FieldTexts,
  currencyDecimals: number,
): Difference[] {
  const nameOf = (field: string) => {
    const label = (labels as Record<string, unknown>)[field];
    return typeof label === 'string' ? label : fieldName(field);
  };
  // A part of a list has a number: "Levels 2: Rate".
  const labelOf = (path: Path) =>
    path.reduce<string>((before, key) => {
      if (typeof key === 'number') return `${before} ${key + 1}`;
      return [before, nameOf(key)].filter((text) => text !== '').join(': ');
    }, '');
  const textOf = (field: string, value: unknown): string => {
    if (Array.isArray(value)) return asText(value.map((one) => textOf(field, one)).join('; '));
    if (typeof value === 'number') {
      const isMinor = minor.includes(field);
      return number(isMinor ? value / 10 ** currencyDecimals : value, {
        minimumFractionDigits: isMinor || major.includes(field) ? currencyDecimals : 0,
        maximumFractionDigits: 10,
      });
    }
    if (typeof value !== 'string') return asText(value);
    return choices[field]?.[value] ?? (/^\d{4}-\d\d-\d\dT/.test(value) ? dateTime(value) : asText(value));
  };
  return Object.keys(yours)
    .flatMap((name) => leavesOf([name], yours[name], theirs[name]))
    .map(([path, mine, other]) => {
      const field = path.findLast((key) => typeof key === 'string')!;
      return { label: labelOf(path), yours: textOf(field, mine), theirs: textOf(field, other) };
    });
}
