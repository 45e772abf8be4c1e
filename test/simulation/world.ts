import { setImmediate as turn } from 'node:timers/promises';

interface Happening {
  at: number;
  order: number;
  work: () => void;
}

/**
 * Simulated time: whatever is to happen, in the order of its time. Between two happenings every promise that
 * can go on has gone on.
 */
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
