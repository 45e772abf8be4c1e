import type { ScopeName } from '../../api/access';
import { slugOf } from '../../../../packages/import/src/values/slug';

export interface Property {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Property[];
  items?: Property;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  /** The value that an absent field counts as. */
  default?: unknown;
}

export interface OperationSchema {
  summary: string;
  scope: ScopeName;
  /** Whether the operation supports If-Match. */
  ifMatch: boolean;
  input: { properties: Record<string, Property>; required?: string[] };
}

export type Values = Record<string, unknown>;

/** What a new record is known by outside, which follows its name. */
const FOLLOWING = ['slug', 'productId'];

/**
 * Derives the slug or the id of a new record from its name until somebody edits it.
 * @param first the values at the beginning
 */
export function withSlug(before: Values, after: Values, first: Values): Values {
  const nameOf = ({ name, title }: Values) => String(name ?? title ?? '');
  const field = FOLLOWING.find((one) => one in after);
  if (!field || nameOf(before) === nameOf(after) || before[field] !== after[field]) return after;
  const isEdited = (before[field] ?? '') !== slugOf(nameOf(before)) && before[field] !== first[field];
  return isEdited ? after : { ...after, [field]: slugOf(nameOf(after)) };
}

/**
 * The values to send: all that were filled in for a new record, only the changed ones for an existing record.
 * An emptied field is null.
 */
export function given(values: Values, record: Values | undefined): Values {
  const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
  const entries = Object.entries(values).map(([name, value]) => [name, value === '' ? null : value] as const);
  return Object.fromEntries(
    record
      ? entries.filter(([name, value]) => !same(value, record[name]))
      : entries.filter(([, value]) => value !== undefined && value !== null),
  );
}

/** The schema of a nullable value, without the null. */
export function own(property: Property): Property {
  return property.anyOf?.find(({ type }) => type !== 'null') ?? property;
}

export const typeOf = (property: Property) =>
  [property.type ?? (property.enum ? 'string' : undefined)].flat().find((type) => type !== 'null');

export function drawable(property: Property): boolean {
  const { items } = own(property);
  const type = typeOf(own(property));
  return type === 'array'
    ? items !== undefined && typeOf(items) === 'string'
    : type !== undefined && type !== 'object';
}
