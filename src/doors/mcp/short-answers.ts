import { AnyObject, type DtoClass, fieldsByName, type JsonSchema } from '../../platform/schema/field-spec.js';
import { BulkResult } from '../../platform/schema/bulk-result.js';
import { isPlainObject } from '../../platform/schema/json/parse-input.js';
import { toCursor } from '../../platform/schema/pages/page.js';
import type { OperationSpec } from '../../platform/call/endpoint.js';

/** How many items, rows or changed fields a model gets of many. */
const MOST = 20;
/** How many items it gets that were refused or have a warning. */
const MOST_TOLD = 50;
/** How many variants it gets of a product. */
const MOST_VARIANTS = 50;
/** How many values it gets of a list in the input of an old call. */
const MOST_GIVEN = 3;
/** The longest text of a row after the first three, in characters. */
const LONGEST_TEXT = 120;
/** How long a page of activity is, in bytes, where the caller did not say how many rows. */
const ACTIVITY_BYTES = 14_000;
/** What is shorter has nothing to leave out. */
const SHORT_BYTES = 1_000;

type Json = Record<string, unknown>;
type Shorten = (data: Json, input: Json) => Json;

/** An answer without what would fill a model's context (docs/behaviour.md §8); over HTTP it is whole. */
export function shortened(tool: OperationSpec, envelope: string, input: object): string {
  const shorten = shortenerOf(tool);
  if (!shorten || (envelope.length < SHORT_BYTES && tool.name !== 'preview_change')) return envelope;
  const { data, ...rest } = JSON.parse(envelope) as { data: Json };
  return JSON.stringify({ ...rest, data: shorten(data, input as Json) });
}

const known = new Map<string, Shorten | null>();

function shortenerOf(tool: OperationSpec): Shorten | null {
  let shorten = known.get(tool.name);
  if (shorten === undefined) known.set(tool.name, (shorten = findShortener(tool)));
  return shorten;
}

function findShortener({ name, output, list }: OperationSpec): Shorten | null {
  if (name === 'preview_change') return preview;
  if (name === 'list_activity') return activity;
  if (name === 'undo_change') return undone;
  if (output === AnyObject) return anything;
  if (isBulk(output)) return bulk;
  if (!fieldsByName(output).has('variants')) return null;
  return list ? (page) => ({ ...page, items: (page.items as Json[]).map(anything) }) : anything;
}

const isBulk = (output: DtoClass): boolean => output.prototype instanceof BulkResult;

/** What the schemas of shortened answers say beside those of HTTP. */
export function shortenedSchema({ name, output, list }: OperationSpec, schema: JsonSchema): JsonSchema {
  const left = (field: string, more: JsonSchema = schema): JsonSchema => ({
    ...more,
    properties: { ...(more.properties as object), [field]: { type: 'integer', minimum: 1 } },
  });
  if (name === 'preview_change') {
    const { changes: _, ...properties } = schema.properties as Json;
    const required = (schema.required as string[]).filter((field) => field !== 'changes');
    return left('more', { ...schema, properties, required });
  }
  if (name === 'undo_change' || (!list && isBulk(output))) return left('more');
  return fieldsByName(output).has('variants') ? left('moreVariants') : schema;
}

const withMore = (data: Json, more: number, name = 'more'): Json =>
  more > 0 ? { ...data, [name]: more } : data;

/** Items that were refused or have warnings, and the first of the others, in their order. */
function bulk(data: Json): Json {
  const items = data.items as { index: number; error?: unknown; warnings?: unknown[] }[];
  const isTold = ({ error, warnings = [] }: (typeof items)[number]) =>
    error !== undefined || warnings.length > 0;
  const told = items.filter(isTold).slice(0, MOST_TOLD);
  const others = items.filter((item) => !isTold(item)).slice(0, Math.max(0, MOST - told.length));
  const shown = [...told, ...others].sort((a, b) => a.index - b.index);
  return withMore({ ...data, items: shown.map(anything as never) }, items.length - shown.length);
}

/** A product, with its variants in groups or in one list. */
function product(data: Json): Json {
  let left = MOST_VARIANTS;
  let more = 0;
  const cut = (values: unknown[]) => {
    const shown = values.slice(0, left);
    [left, more] = [left - shown.length, more + values.length - shown.length];
    return shown;
  };
  const variants = data.variants as Json[];
  const isGrouped = variants.some((group) => Array.isArray(group.values));
  const shown = isGrouped
    ? variants
        .map((group) => ({ ...group, values: cut(group.values as unknown[]) }))
        .filter(({ values }) => values.length > 0)
    : cut(variants);
  return more > 0 ? withMore({ ...data, variants: shown }, more, 'moreVariants') : data;
}

/** The answer of any operation. */
function anything(data: Json): Json {
  if (Array.isArray(data.items) && data.items.every((item) => isPlainObject(item) && 'index' in item))
    return bulk(data);
  return Array.isArray(data.variants) && data.variants.every(isPlainObject) ? product(data) : data;
}

function preview({ changes: _, rows, answer, ...rest }: Json): Json {
  if (!Array.isArray(rows)) return { ...rest, answer };
  const shown = rows.slice(0, MOST).map((row: Json, i) => (i < MOST_GIVEN ? row : shortTexts(row)));
  return withMore({ ...rest, answer: anything(answer as Json), rows: shown }, rows.length - shown.length);
}

const shortTexts = (row: Json): Json =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > LONGEST_TEXT
        ? `${value.slice(0, LONGEST_TEXT).toWellFormed()}…`
        : value,
    ]),
  );

function activity(page: Json, { take }: Json): Json {
  const items = (page.items as Json[]).map(auditRow);
  if (take !== undefined) return { ...page, items };
  let bytes = 0;
  const fits = items.filter((row) => (bytes += JSON.stringify(row).length) <= ACTIVITY_BYTES);
  const shown = items.slice(0, Math.max(1, fits.length));
  const isCut = shown.length < items.length;
  return { ...page, items: shown, ...(isCut && { nextCursor: toCursor([shown.at(-1)!.id]) }) };
}

function auditRow(row: Json): Json {
  const input = isPlainObject(row.input)
    ? Object.fromEntries(Object.entries(row.input).map(([name, value]) => [name, firstOf(value)]))
    : row.input;
  return { ...row, input, changes: fewFields(row.changes) };
}

const firstOf = (value: unknown) =>
  Array.isArray(value) && value.length > MOST_GIVEN
    ? [...value.slice(0, MOST_GIVEN), { more: value.length - MOST_GIVEN }]
    : value;

function fewFields(changes: unknown): unknown {
  if (!isPlainObject(changes)) return changes;
  const fields = Object.entries(changes);
  return withMore(Object.fromEntries(fields.slice(0, MOST)), Math.max(0, fields.length - MOST));
}

function undone(data: Json): Json {
  const changes = data.changes as Json[];
  const shown = changes.slice(0, MOST).map((change) => ({ ...change, changes: fewFields(change.changes) }));
  return withMore({ ...data, changes: shown }, changes.length - shown.length);
}
