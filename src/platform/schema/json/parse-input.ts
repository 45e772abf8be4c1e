import { type DtoClass, fieldsByName, type FieldSpec } from '../field-spec.js';
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, JsonReader, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-reader.js';
import { invalidInput, OperationError } from '../../errors.js';

/** Text up to this length is parsed whatever it contains, because that takes at most a few milliseconds. */
const SMALL = 64 * 1024;
/**
 * Text with at most this many values is parsed by it too. A megabyte can contain 350,000, for which
 * JSON.parse alone takes over a tenth of a second.
 */
const MANY_VALUES = 10_000;
/** How many unknown properties are kept, per object and in total. That is more than a refusal names. */
const KEPT_UNKNOWN = { ofOne: 10, ofAll: 60 };

/** After this many unknown properties the rest of an object is not read. */
export const MANY_UNKNOWN = 200;

/** A JSON object: neither null nor an array. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const leftOut = new WeakMap<object, number>();

/**
 * How many unknown properties `parseInput` left out of a value. From MANY_UNKNOWN on, known properties after
 * them are missing too.
 */
export const unknownLeftOut = (value: object): number => leftOut.get(value) ?? 0;

/**
 * JSON.parse for untrusted input, which does not block the event loop with input that will be refused anyway.
 * From a text with many values, only those that its class has a place for are parsed: a list ends soon after
 * its bound, and values in places where they are not allowed are left out. The rest is refused as the whole
 * would be, with the same message.
 * @param type the class of the value; without it, a text with many values is refused
 * @throws SyntaxError for what is not JSON
 * @throws TooDeep
 * @throws OperationError invalid_input for many values without a class, and for one property given twice
 * among many values
 */
export function parseInput(text: string, type?: DtoClass): unknown {
  if (isTooDeep(text)) throw new TooDeep();
  if (!holdsManyValues(text)) return JSON.parse(text);
  if (!type) throw invalidInput(`The body must not hold more than ${MANY_VALUES} values`);
  const cutter = new Cutter(text, 0);
  const value: unknown = JSON.parse(cutter.run(type));
  if (typeof value === 'object' && value !== null) leftOut.set(value, cutter.unknownLeftOut);
  return value;
}

/** What the body is nested deeper than; whoever walks through a value calls itself so often at most. */
const MAX_DEPTH = 100;

export class TooDeep extends OperationError {
  constructor() {
    super('invalid_input', `The body must not be nested deeper than ${MAX_DEPTH} levels`);
  }
}

/** Whether the text has so many opening brackets that it could be too deep, which costs little to see. */
function opensMany(text: string): boolean {
  let left = MAX_DEPTH;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (left-- === 0) return true;
  return false;
}

function isTooDeep(text: string): boolean {
  // It has an opening and a closing bracket for each level.
  if (text.length <= 2 * MAX_DEPTH || !opensMany(text)) return false;
  const reader = new JsonReader(text, 0);
  for (let depth = 0; reader.at < text.length;) {
    const character = text.charCodeAt(reader.at);
    if (character === QUOTE) {
      reader.skipString();
      continue;
    }
    if (character === OPEN_OBJECT || character === OPEN_LIST) {
      if (++depth > MAX_DEPTH) return true;
    } else if (character === CLOSE_OBJECT || character === CLOSE_LIST) depth--;
    reader.at++;
  }
  return false;
}

export function holdsManyValues(text: string): boolean {
  if (text.length <= SMALL) return false;
  const reader = new JsonReader(text, 0);
  let values = 0;
  while (values <= MANY_VALUES && reader.at < text.length) {
    const character = text.charCodeAt(reader.at);
    if (character === QUOTE) reader.skipString();
    else {
      if (character === COMMA || character === OPEN_OBJECT || character === OPEN_LIST) values++;
      reader.at++;
    }
  }
  return values > MANY_VALUES;
}

/** A small text for an object that is just as much too large as the one it replaces. */
const tooLarge = (maxBytes: number) => JSON.stringify({ '': ' '.repeat(maxBytes) });

/** Removes from a text the values that its class has no place for. The rest of the text stays as it is. */
class Cutter extends JsonReader {
  unknownLeftOut = 0;
  private unknownKept = 0;
  private readonly pieces: string[] = [];
  private cutTo = 0;

  run(type: DtoClass): string {
    if (this.next() === OPEN_OBJECT) this.object(type);
    else this.anyValue();
    if (!Number.isNaN(this.next())) throw new SyntaxError(`unexpected character at ${this.at}`);
    return this.pieces.join('') + this.text.slice(this.cutTo);
  }

  private object(type: DtoClass): void {
    const specs = fieldsByName(type);
    const given = new Set<string>();
    let unknown = 0;
    let behindLast = -1;
    for (const written of this.members()) {
      const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
      const field = specs.get(name);
      if (field) {
        // JSON.parse would take the last one, but that is not worth supporting among many values.
        if (given.has(name)) throw invalidInput(`${name} must not be given twice`);
        given.add(name);
        this.value(field);
      } else if (behindLast < 0 || (unknown < KEPT_UNKNOWN.ofOne && this.unknownKept < KEPT_UNKNOWN.ofAll)) {
        unknown++;
        this.unknownKept++;
        this.anyValue();
      } else {
        this.unknownLeftOut++;
        if (++unknown > MANY_UNKNOWN + KEPT_UNKNOWN.ofOne) return this.leaveRestOut(behindLast);
        this.skipValue();
        this.replace(behindLast, '');
      }
      behindLast = this.at;
    }
  }

  private leaveRestOut(behindLast: number): void {
    this.skipRest();
    this.replace(behindLast, '}');
  }

  private value(field: FieldSpec): void {
    const first = this.next();
    if (first === OPEN_OBJECT && field.nested && !field.nested.list) this.object(field.nested.type());
    else if (first === OPEN_OBJECT && field.maxBytes !== undefined) this.freeObject(field.maxBytes);
    else if (first === OPEN_LIST && field.maxItems !== undefined)
      this.list(field.maxItems, field.nested?.type(), field.separate !== undefined);
    else this.anyValue();
  }

  private freeObject(maxBytes: number): void {
    const from = this.at;
    if (this.skipValue() > maxBytes) this.replace(from, tooLarge(maxBytes));
  }

  /**
   * Keeps one item beyond the bound, so that the list is refused.
   * @param isSeparate whether each item needs unknown properties of its own to be refused
   */
  private list(maxItems: number, type: DtoClass | undefined, isSeparate: boolean): void {
    this.expect(OPEN_LIST);
    if (this.next() === CLOSE_LIST) return void this.at++;
    for (let count = 1; ; count++) {
      if (isSeparate) this.unknownKept = 0;
      if (type && this.next() === OPEN_OBJECT) this.object(type);
      else this.anyValue();
      if (this.next() === CLOSE_LIST) return void this.at++;
      if (count > maxItems) break;
      this.expect(COMMA);
    }
    const behindLast = this.at;
    this.skipRest();
    this.replace(behindLast, ']');
  }

  /** Keeps a scalar, and empties a list or an object that is refused whatever it contains. */
  private anyValue(): void {
    const first = this.next();
    const from = this.at;
    this.skipValue();
    if (first === OPEN_OBJECT) this.replace(from, '{}');
    else if (first === OPEN_LIST) this.replace(from, '[]');
  }

  /** Replaces the text since `from` with `text`. */
  private replace(from: number, text: string): void {
    if (from > this.cutTo) this.pieces.push(this.text.slice(this.cutTo, from));
    if (text !== '') this.pieces.push(text);
    this.cutTo = this.at;
  }
}
