export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const STRUCTURE = new Set([COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]);
/** Numbers, true, false and null. JSON.parse refuses anything else that this matches. */
const SCALAR = /[-+.\w]+/y;

/** Navigates JSON text without building values. */
export class JsonReader {
  constructor(
    protected readonly text: string,
    public at: number,
  ) {}

  /** The next character that is not white space; NaN at the end. */
  next(): number {
    for (;;) {
      const character = this.text.charCodeAt(this.at);
      if (character !== 0x20 && character !== 0x0a && character !== 0x0d && character !== 0x09)
        return character;
      this.at++;
    }
  }

  expect(character: number): void {
    if (this.next() !== character) throw new SyntaxError(`unexpected character at ${this.at}`);
    this.at++;
  }

  /**
   * The names of an object's members, with their escapes as written. The caller must skip the value of each.
   */
  *members(): Generator<string> {
    this.expect(OPEN_OBJECT);
    if (this.next() === CLOSE_OBJECT) return void this.at++;
    for (;;) {
      const from = this.at;
      if (this.next() !== QUOTE) throw new SyntaxError(`unexpected character at ${this.at}`);
      this.skipString();
      const key = this.text.slice(from, this.at).trim();
      this.expect(COLON);
      yield key.slice(1, -1);
      if (this.next() === CLOSE_OBJECT) return void this.at++;
      this.expect(COMMA);
    }
  }

  /** Moves from the opening quote to the character after the closing one. */
  skipString(): void {
    const { text } = this;
    let at = this.at + 1;
    for (;;) {
      const character = text.charCodeAt(at);
      if (character === QUOTE) break;
      if (Number.isNaN(character)) throw new SyntaxError('unexpected end');
      at += character === BACKSLASH ? 2 : 1;
    }
    this.at = at + 1;
  }

  /** @returns the least number of bytes that the value takes as JSON */
  skipValue(): number {
    const first = this.next();
    if (first === QUOTE) return (this.skipString(), 2);
    if (first !== OPEN_OBJECT && first !== OPEN_LIST) return (this.skipScalar(), 1);
    this.at++;
    return 1 + this.skipRest();
  }

  /**
   * Moves from inside a list or an object past its closing bracket.
   * @returns the least number of bytes that the rest takes as JSON
   */
  skipRest(): number {
    let bytes = 0;
    for (let depth = 1; depth > 0;) {
      const character = this.text.charCodeAt(this.at);
      if (Number.isNaN(character)) throw new SyntaxError('unexpected end');
      if (character === QUOTE) {
        this.skipString();
        bytes += 2;
        continue;
      }
      if (character === OPEN_OBJECT || character === OPEN_LIST) depth++;
      if (character === CLOSE_OBJECT || character === CLOSE_LIST) depth--;
      if (STRUCTURE.has(character)) bytes++;
      this.at++;
    }
    return bytes;
  }

  private skipScalar(): void {
    SCALAR.lastIndex = this.at;
    if (!SCALAR.test(this.text)) throw new SyntaxError(`unexpected character at ${this.at}`);
    this.at = SCALAR.lastIndex;
  }
}

/**
 * The range of the value under these keys (written without escapes) in an object's text: its first character,
 * and the one after it.
 */
export function rangeOf(
  text: string,
  [key, ...deeper]: string[],
  start = 0,
): [start: number, end: number] | null {
  const reader = new JsonReader(text, start);
  if (reader.next() !== OPEN_OBJECT) return null;
  for (const name of reader.members()) {
    reader.next();
    const from = reader.at;
    if (name === key && deeper.length > 0) return rangeOf(text, deeper, from);
    reader.skipValue();
    if (name === key) return [from, reader.at];
  }
  return null;
}
