import type { ServerResponse } from 'node:http';
import { type DtoClass, fields } from './field-spec.js';

/** JSON in its final form, as the database wrote it. It is passed on unchanged. */
export class RawJson {
  constructor(readonly text: string) {}

  /** An object in which some values are RawJson. */
  static object(values: Record<string, unknown>): RawJson {
    let members = '';
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const text = value instanceof RawJson ? value.text : JSON.stringify(value);
      members += `${members && ','}${JSON.stringify(key)}:${text}`;
    }
    return new RawJson(`{${members}}`);
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

/**
 * The result of a handler that streams its answer instead of returning JSON. The endpoint names the type in
 * `stream`. The call's transaction has ended by the time the answer is written.
 */
export class Streamed {
  /**
   * @param write writes the body and ends the response; it must not throw
   * @param headers the content type and any other headers
   */
  constructor(
    readonly write: (response: ServerResponse) => void,
    readonly headers: Record<string, string>,
    /** Called instead of `write` for a HEAD request. */
    readonly abandon: () => void = () => undefined,
  ) {}
}

/** The envelope of another operation, which the handler ran, as its own answer. */
export class FinishedEnvelope {
  constructor(readonly envelope: string) {}
}

/** Beside the declared fields of an object, what the pages of the dashboard are answered. */
export const FOR_PAGES = Symbol('for pages');

type Given = Record<string | typeof FOR_PAGES, unknown>;
type Present = (value: Given, isForPages: boolean) => Record<string, unknown>;
const presenters = new Map<DtoClass, Present>();

/**
 * Copies only the fields that the output class declares, so that a forgotten column cannot leak. Undefined
 * becomes null, or stays absent if the field is optional. Dates become ISO 8601 UTC. Exact decimals, which
 * the driver returns as text, become numbers.
 */
export function present(type: DtoClass, value: object, isForPages = false): Record<string, unknown> {
  let presenter = presenters.get(type);
  if (!presenter) presenters.set(type, (presenter = compile(type)));
  return presenter(value as Given, isForPages);
}

function compile(type: DtoClass): Present {
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
}
