import { setImmediate as turn } from 'node:timers/promises';

/** Random numbers that are the same again for the same seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** At least 0, less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.integer(0, values.length - 1)];
  }
}

interface Happening {
  at: number;
  order: number;
  work: () => void;
}

/** Simulated time: whatever is to happen, in the order of its time. Between two happenings every promise that can go on has gone on. */
export class World {
  /** Milliseconds since the beginning. */
  time = 0;
  private readonly heap: Happening[] = [];
  private count = 0;

  in(milliseconds: number, work: () => void): void {
    this.push({
      at: this.time + Math.max(0, milliseconds),
      order: this.count++,
      work,
    });
  }

  /** Lets the next thing happen. @returns false when it is later than `until` */
  async step(until: number): Promise<boolean> {
    if (this.heap.length === 0 || this.heap[0].at > until) return false;
    const { at, work } = this.pop();
    this.time = at;
    work();
    await turn();
    return true;
  }

  private push(happening: Happening): void {
    const { heap } = this;
    let i = heap.push(happening) - 1;
    for (let parent = (i - 1) >> 1; i > 0 && isBefore(happening, heap[parent]); parent = (i - 1) >> 1) {
      heap[i] = heap[parent];
      i = parent;
    }
    heap[i] = happening;
  }

  private pop(): Happening {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = last;
    return first;
  }
}

const isBefore = (a: Happening, b: Happening) => a.at < b.at || (a.at === b.at && a.order < b.order);
