import { type DtoClass, fieldsByName, type FieldSpec } from './fields.js';
import { CLOSE_LIST, COMMA, JsonReader, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-reader.js';
import { invalidInput } from '../errors.js';

/** Text of this length is parsed whatever it holds: at worst it takes a few milliseconds. */
const SMALL = 64 * 1024;
/** So many values too. A million characters can hold 350,000, and then JSON.parse alone takes a tenth of a second and more. */
const MANY_VALUES = 10_000;
/** Properties that no DTO class knows: so many of one object, and of all, are left in, which is more than a refusal names. */
const KEPT_UNKNOWN = { ofOne: 10, ofAll: 60 };

/** After so many of one object its rest is not looked at, whatever it is. */
export const MANY_UNKNOWN = 200;

const leftOut = new WeakMap<object, number>();

/** How many unknown properties `parseInput` has left out of the value; from MANY_UNKNOWN on, known ones behind them too. */
export const unknownLeftOut = (value: object): number => leftOut.get(value) ?? 0;

/**
 * JSON.parse for input that anybody can send, so that the event loop is not held up by what will be refused anyway. Of a text with
 * many values only what its class has a place for is parsed: a list ends soon after its bound, and what stands where nothing
 * fits is left out. What is left is refused just as the whole would be, with the same words.
 * @param type what the value is to be; without it many values are refused
 * @throws SyntaxError for what is not JSON
 * @throws OperationError invalid_input for many values without a class, and for one property given twice among many values
 */
export function parseInput(text: string, type?: DtoClass): unknown {
  if (!holdsManyValues(text)) return JSON.parse(text);
  if (!type) throw invalidInput(`The body must not hold more than ${MANY_VALUES} values`);
  const cutter = new Cutter(text, 0);
  const value: unknown = JSON.parse(cutter.run(type));
  if (typeof value === 'object' && value !== null) leftOut.set(value, cutter.unknownLeftOut);
  return value;
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

/** An object that is too large, as the one whose place it takes. */
const tooLarge = (maxBytes: number) => JSON.stringify({ '': ' '.repeat(maxBytes) });

/** Leaves out of a text what its class has no place for; between the cuts it stays as it is. */
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
        // Which of many large lists counts is no question worth an answer.
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
    else if (first === OPEN_LIST && field.maxItems !== undefined) this.list(field.maxItems, field.nested?.type());
    else this.anyValue();
  }

  private freeObject(maxBytes: number): void {
    const from = this.at;
    if (this.skipValue() > maxBytes) this.replace(from, tooLarge(maxBytes));
  }

  /** One item beyond the bound is kept, so that the list is refused. */
  private list(maxItems: number, type: DtoClass | undefined): void {
    this.expect(OPEN_LIST);
    if (this.next() === CLOSE_LIST) return void this.at++;
    for (let count = 1; ; count++) {
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

  /** A value that is refused for its kind, whatever it holds; or a string, a number or the like. */
  private anyValue(): void {
    const first = this.next();
    const from = this.at;
    this.skipValue();
    if (first === OPEN_OBJECT) this.replace(from, '{}');
    else if (first === OPEN_LIST) this.replace(from, '[]');
  }

  /** What has been read since `from` becomes `text`. */
  private replace(from: number, text: string): void {
    if (from > this.cutTo) this.pieces.push(this.text.slice(this.cutTo, from));
    if (text !== '') this.pieces.push(text);
    this.cutTo = this.at;
  }
}
