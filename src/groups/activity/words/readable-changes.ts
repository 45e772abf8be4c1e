import type { FieldSpec } from '../../../platform/schema/field-spec.js';
import { isPlainObject } from '../../../platform/schema/json/parse-input.js';
import { isSameJson } from '../../../platform/schema/json/same-json.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { isMovement, movementText } from '../../movement-text.js';
import { labelInChanges, labelsOf, kindOf, type Pairs } from '../../record-labels.js';
import { type Declared, declaredIn, NOTHING, said, wordsOf } from './said-values.js';

/** A change in words, as a person reads it before agreeing to it. */
export interface ReadableRow {
  record: string;
  field: string;
  before: string;
  after: string;
}

interface Change {
  target: string;
  changes: object;
  unlinked?: Record<string, number>;
}

/** The changes of one record. */
interface Part {
  target: string;
  pairs: Pairs;
  unlinked: Record<string, number>;
}

/** Changes in words; records of one call are named each by itself. @param declared the fields of its DTOs */
export async function readableRows(
  ctx: StoreContext,
  changes: readonly Change[],
  declared: Declared,
): Promise<ReadableRow[]> {
  const parts = changes.flatMap(partsOf);
  const labels = await labelsOf(ctx, [...new Set(parts.map(({ target }) => target))]);
  return parts.flatMap((part) => {
    const { target, pairs, unlinked } = part;
    const record = labels.get(target) ?? labelInChanges(target, pairs) ?? kindOf(target).replaceAll('_', ' ');
    const lost = Object.entries(unlinked).filter(([, count]) => count > 0);
    return [
      ...rowsOf(record, pairs, { currency: ctx.currency, declared }),
      ...lost.map(([kind, count]) => ({
        record,
        field: `${kind.replaceAll('_', ' ')} that lose their link`,
        before: String(count),
        after: '0',
      })),
    ];
  });
}

/** `variant:<id>.price` names its record itself; `product:<id>` is a whole record. */
function partsOf({ target, changes, unlinked = {} }: Change): Part[] {
  const own: Pairs = {};
  const others = new Map<string, Pairs>();
  for (const [path, pair] of Object.entries(changes) as [string, Pairs[string]][]) {
    const [, record, field] = /^([a-z_]+:[^.]+)(?:\.(\w+))?$/.exec(path) ?? [];
    if (record === undefined) own[path] = pair;
    else others.set(record, { ...others.get(record), ...(field ? { [field]: pair } : wholeOf(pair)) });
  }
  const isOwn = Object.keys(own).length > 0 || Object.keys(unlinked).length > 0;
  return [
    ...(isOwn ? [{ target, pairs: own, unlinked }] : []),
    ...[...others].map(([record, pairs]) => ({ target: record, pairs, unlinked: {} })),
  ];
}

const wholeOf = ([before, after]: Pairs[string]): Pairs => {
  const of = (value: unknown) => (isPlainObject(value) ? value : {});
  const names = Object.keys({ ...of(before), ...of(after) });
  if (names.length === 0) return { record: [before, after] };
  return Object.fromEntries(names.map((name) => [name, [of(before)[name] ?? null, of(after)[name] ?? null]]));
};

interface Saying {
  currency: string;
  declared: Declared;
}

function rowsOf(record: string, pairs: Pairs, saying: Saying): ReadableRow[] {
  if (pairs.id && pairs.id[1] === null)
    return [{ record, field: 'the whole record', before: 'there', after: 'deleted' }];
  return Object.entries(pairs).flatMap(([name, [before, after]]) => {
    if (isMovement(name))
      return [{ record, field: 'moves', before: NOTHING, after: movementText(name, before, after) }];
    if (isNamedList(before) || isNamedList(after))
      return listRows(record, name, [before, after] as [Named[] | null, Named[] | null], saying);
    return valueRows(record, name, [before, after], saying.declared(name), saying.currency);
  });
}

/** A record inside a record is read field by field. */
function valueRows(
  record: string,
  name: string,
  [before, after]: Pairs[string],
  spec: FieldSpec | undefined,
  currency: string,
): ReadableRow[] {
  if (isPlainObject(before) && isPlainObject(after) && spec?.nested) {
    const inside = declaredIn(spec.nested.type());
    return changedNames(before, after).map((inner) => ({
      record,
      field: `${wordsOf(name)}, ${wordsOf(inner)}`,
      before: said(before[inner], currency, inside(inner)),
      after: said(after[inner], currency, inside(inner)),
    }));
  }
  const row = {
    record,
    field: wordsOf(name),
    before: said(before, currency, spec),
    after: said(after, currency, spec),
  };
  return row.before === NOTHING && row.after === NOTHING ? [] : [row];
}

type Named = Record<string, unknown>;

const isNamed = (one: unknown): one is Named => isPlainObject(one) && ('label' in one || 'id' in one);
const isNamedList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isNamed);
const nameOf = ({ label, name, title, id }: Named) => String(label ?? name ?? title ?? id);
const changedNames = (before: Named, after: Named) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSameJson(before[name] ?? null, after[name] ?? null),
  );

/** Each item of a list that goes, comes or changes. */
function listRows(
  record: string,
  name: string,
  [before, after]: [Named[] | null, Named[] | null],
  { currency, declared }: Saying,
): ReadableRow[] {
  const spec = declared(name);
  const inside = spec?.nested ? declaredIn(spec.nested.type()) : () => undefined;
  const keyOf = (one: Named) => String(one.id ?? one.label);
  const [earlier, later] = [before, after].map(
    (list) => new Map((list ?? []).map((one) => [keyOf(one), one])),
  );
  const row = (one: Named, was: string, is: string, inner?: string): ReadableRow => ({
    record,
    field: `${wordsOf(name).replace(/s$/, '')} "${nameOf(one)}"${inner ? `, ${wordsOf(inner)}` : ''}`,
    before: was,
    after: is,
  });
  const rows = [
    ...[...earlier].filter(([key]) => !later.has(key)).map(([, one]) => row(one, 'there', 'removed')),
    ...[...later].filter(([key]) => !earlier.has(key)).map(([, one]) => row(one, NOTHING, 'added')),
    ...[...later].flatMap(([key, one]) => {
      const was = earlier.get(key);
      if (!was) return [];
      const value = (of: Named, inner: string) => said(of[inner], currency, inside(inner));
      return changedNames(was, one).map((inner) => row(one, value(was, inner), value(one, inner), inner));
    }),
  ];
  if (rows.length > 0) return rows;
  return [{ record, field: wordsOf(name), before: 'in another order', after: 'in this order' }];
}
