export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const STRUCTURE = new Set([COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]);
/** Numbers, true, false and null; what else it takes, JSON.parse refuses. */
const SCALAR = /[-+.\w]+/y;

/** Finds its way through JSON text without making anything of it. */
export class JsonReader {
  constructor(
    protected readonly text: string,
    public at: number,
  ) {}

  /** The next character that is no white space; NaN at the end. */
  next(): number {
    for (;;) {
      const character = this.text.charCodeAt(this.at);
      if (character !== 0x20 && character !== 0x0a && character !== 0x0d && character !== 0x09) return character;
      this.at++;
    }
  }

  expect(character: number): void {
    if (this.next() !== character) throw new SyntaxError(`unexpected character at ${this.at}`);
    this.at++;
  }

  /** The names of an object's members, their escapes as they are written. Whoever asks skips the value of each. */
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

  /** Stands on the opening quote, then behind the closing one. */
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

  /** @returns how many bytes the value takes as JSON at least */
  skipValue(): number {
    const first = this.next();
    if (first === QUOTE) return (this.skipString(), 2);
    if (first !== OPEN_OBJECT && first !== OPEN_LIST) return (this.skipScalar(), 1);
    this.at++;
    return 1 + this.skipRest();
  }

  /** From within a list or an object to behind its closing bracket. @returns how many bytes that takes as JSON at least */
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

/** Where the value under these keys, written without escapes, stands in an object's text: its first character, and behind its last. */
export function rangeOf(text: string, [key, ...deeper]: string[], start = 0): [start: number, end: number] | null {
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
