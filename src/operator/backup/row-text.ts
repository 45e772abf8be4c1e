import type { Readable } from 'node:stream';

const END_OF_ROWS = Buffer.from('\n\\.\n');
const NOTHING = Buffer.alloc(0);

/**
 * Reads lines, and blocks of lines that end with the line `\.`, from a stream. Keeps little more than one
 * piece of it in memory.
 */
export class RowText {
  private readonly pieces: AsyncIterator<Buffer>;
  private rest: Buffer = NOTHING;

  constructor(source: Readable) {
    this.pieces = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** The next line, without its line break; null at the end. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.rest.indexOf(10);
      if (end >= 0) {
        const line = this.rest.toString('utf8', 0, end);
        this.rest = this.rest.subarray(end + 1);
        return line;
      }
      if (!(await this.more())) return null;
    }
  }

  /** The text before the line `\.`, in pieces of any length. */
  async *rows(): AsyncGenerator<Buffer> {
    // A line break is added before the first row, so that an empty block ends like any other.
    this.rest = Buffer.concat([END_OF_ROWS.subarray(0, 1), this.rest]);
    let skip = 1;
    for (;;) {
      const end = this.rest.indexOf(END_OF_ROWS);
      // Bytes that may be the beginning of the end mark are kept.
      const upTo = end >= 0 ? end + 1 : Math.max(0, this.rest.length - END_OF_ROWS.length);
      if (upTo > skip) yield this.rest.subarray(skip, upTo);
      skip = Math.max(0, skip - upTo);
      if (end >= 0) {
        this.rest = this.rest.subarray(end + END_OF_ROWS.length);
        return;
      }
      this.rest = this.rest.subarray(upTo);
      if (!(await this.more())) throw new Error('the rows have no end');
    }
  }

  private async more(): Promise<boolean> {
    const next = await this.pieces.next();
    if (next.done) return false;
    this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
    return true;
  }
}
