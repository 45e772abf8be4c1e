/** A seeded random generator (mulberry32), which returns the same sequence each time. */
export class Random {
  constructor(private state: number) {}

  /** A number from 0 up to but not including 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.integer(0, values.length - 1)];
  }

  /** One of the values, with a probability proportional to its weight. */
  weighted<Value>(values: readonly Value[], weight: (value: Value) => number): Value {
    let left = this.next() * values.reduce((sum, value) => sum + weight(value), 0);
    return values.find((value) => (left -= weight(value)) < 0) ?? values[values.length - 1];
  }
}
