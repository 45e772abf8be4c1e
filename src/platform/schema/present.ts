import type { ServerResponse } from 'node:http';
import { perClass } from './compiled-checks.js';
import { type DtoClass, fields } from './field-spec.js';
import { MAX_TOTAL, PAGE_BYTES, type Page, type Paging } from './pages/page.js';

/** Beside the declared fields of an object, what the pages of the dashboard are answered. */
export const FOR_PAGES = Symbol('for pages');
interface ForPages {
  [FOR_PAGES]?: Record<string, unknown>;
}

/** JSON in its final form, as the database wrote it. It is passed on unchanged. */
export class RawJson {
  /** @param forPages the members that pages get besides */
  constructor(
    readonly text: string,
    readonly forPages?: Record<string, unknown>,
  ) {}

  /** An object in which some values are RawJson. */
  static object(values: Record<string, unknown> & ForPages): RawJson {
    let members = '';
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const text = value instanceof RawJson ? value.text : JSON.stringify(value);
      members += `${members && ','}${JSON.stringify(key)}:${text}`;
    }
    return new RawJson(`{${members}}`, values[FOR_PAGES]);
  }

  /** The same object with further members. */
  with(values: Record<string, unknown>): RawJson {
    return new RawJson(`${this.text.slice(0, -1)},${JSON.stringify(values).slice(1)}`);
  }

  static array(items: RawJson[]): RawJson {
    // Joined strings are copied at once; added ones only when the answer is written.
    let texts = '';
    for (const { text } of items) texts += texts ? `,${text}` : text;
    return new RawJson(`[${texts}]`);
  }
}

/**
 * The result of a handler whose remaining work, such as sending a message, must wait for the commit. The
 * change and its audit row are committed first. `run` then produces the result, and may use the session
 * again.
 */
export class AfterCommit<Result> {
  /** @param interim the result returned for a repeat with the same Idempotency-Key if `run` never finishes */
  constructor(
    readonly run: () => Promise<Result>,
    readonly interim?: Result,
  ) {}
}

/** An answer that is written bit by bit, once the call's transaction has ended. */
export interface Stream {
  /** The content type and any other headers. */
  headers: Record<string, string>;
  /** Writes the body and ends the response; it must not throw. */
  write(response: ServerResponse): void;
  /** Called instead of `write` for a HEAD request. */
  abandon(): void;
}

export const isStream = (body: unknown): body is Stream =>
  typeof body === 'object' && body !== null && 'abandon' in body;

/**
 * The result of a handler that makes the whole answer itself: the envelope of another operation, which it
 * ran, or a stream, whose type the endpoint names in `stream`.
 */
export class Finished {
  constructor(readonly answer: string | Stream) {}
}

type Given = Record<string | typeof FOR_PAGES, unknown>;
type Present = (value: Given, isForPages: boolean) => Record<string, unknown>;

/**
 * Copies only the fields that the output class declares, so that a forgotten column cannot leak. Undefined
 * becomes null, or stays absent if the field is optional. Dates become ISO 8601 UTC. Exact decimals, which
 * the driver returns as text, become numbers.
 */
export function present(type: DtoClass, value: object, isForPages = false): Record<string, unknown> {
  return presenterOf(type)(value as Given, isForPages);
}

const presenterOf = perClass((type): Present => {
  const copies = fields(type).map(({ name, nested, optional, schema }) => {
    const numeric = schema.type === 'integer' || schema.type === 'number';
    return (from: Given, to: Record<string, unknown>, isForPages: boolean) => {
      const value = from[name];
      if (value === undefined || value === null) {
        if (value === null || !optional) to[name] = null;
      } else if (nested) {
        const inner = nested.type();
        to[name] = nested.list
          ? (value as object[]).map((item) => present(inner, item, isForPages))
          : present(inner, value as object, isForPages);
      } else if (value instanceof Date) {
        to[name] = schema.format === 'date' ? value.toISOString().slice(0, 10) : value.toISOString();
      } else {
        to[name] = numeric && typeof value !== 'number' ? Number(value) : value;
      }
    };
  });
  return (from, isForPages) => {
    const to: Record<string, unknown> = {};
    for (const copy of copies) copy(from, to, isForPages);
    return isForPages ? Object.assign(to, from[FOR_PAGES]) : to;
  };
});

/** How an endpoint answers: the class of its data, whether they are a page, and whether they stand alone. */
interface Answering {
  output: DtoClass;
  list?: Paging;
  bare?: true;
}

/**
 * The data in the envelope. JSON that the database wrote is passed on as it is; everything else goes through
 * its output class.
 */
export function envelope(
  { output, list, bare }: Answering,
  data: unknown,
  { pageBytes, isForPages }: { pageBytes?: number; isForPages?: boolean } = {},
): string {
  const text =
    data instanceof RawJson
      ? (isForPages && data.forPages ? data.with(data.forPages) : data).text
      : list
        ? pageText(output, data as Page<object>, pageBytes)
        : JSON.stringify(present(output, data as object, isForPages));
  return bare ? text : `{"ok":true,"data":${text}}`;
}

/**
 * The JSON of a page, with its rows presented by the output class, cut at the maximum size of a page
 * (docs/behaviour.md §3).
 */
function pageText(output: DtoClass, page: Page<object>, most = PAGE_BYTES): string {
  const shown = (row: object) => {
    const record = present(output, row);
    if (page.isIdsOnly) return record.id;
    const { only } = page;
    return only ? Object.fromEntries(Object.entries(record).filter(([name]) => only.includes(name))) : record;
  };
  const { texts, nextCursor } = cutToBytes(page, (row) => JSON.stringify(shown(row)), most);
  const rows = page.isIdsOnly ? `"items":[],"ids":[${texts.join(',')}]` : `"items":[${texts.join(',')}]`;
  return `{${rows},"nextCursor":${JSON.stringify(nextCursor)}${totalText(page)}}`;
}

function totalText({ total }: Page<object>): string {
  if (total === undefined) return '';
  return total > MAX_TOTAL ? `,"total":${MAX_TOTAL},"totalIsAtLeast":true` : `,"total":${total}`;
}

/**
 * The items of a page as JSON texts: as many as fit into `most` bytes, but at least one, with the cursor for
 * the next page.
 */
export function cutToBytes<Row>(
  { items, nextCursor, cursorOf }: Page<Row>,
  textOf: (row: Row) => string,
  most = PAGE_BYTES,
): { texts: string[]; nextCursor: string | null } {
  const texts: string[] = [];
  let bytes = 0;
  for (const item of items) {
    const text = textOf(item);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > most && texts.length > 0 && cursorOf)
      return { texts, nextCursor: cursorOf(items[texts.length - 1]) };
    texts.push(text);
  }
  return { texts, nextCursor };
}
