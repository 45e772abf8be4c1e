import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

export type Cancel = () => void;

/**
 * The timers of a process, passed in so that a simulation can let hours pass at once. All times are in
 * milliseconds.
 */
export interface Timers {
  after(milliseconds: number, work: () => void): Cancel;
  every(milliseconds: number, work: () => void): Cancel;
  sleep(milliseconds: number): Promise<void>;
  /** Resolves once the present turn of the event loop is over. */
  nextTurn(): Promise<void>;
}

/**
 * Rests `times` as long as the work that began at that time has taken, so that others hardly take longer.
 * @param began a time of `performance.now()`
 */
export const restAfter = (began: number, times = 1): Promise<void> =>
  sleep(times * (performance.now() - began), undefined, { ref: false });

/**
 * What the work comes to or, if it takes longer than so many milliseconds, what `late` does. The work is not
 * stopped.
 */
export function within<Result, Late>(
  milliseconds: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))).then(late);
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

let rested: Promise<void> = Promise.resolve();

/**
 * Resolves when a long call may go on: the calls do one piece of such work at a time, and after each the
 * others have the event loop for as long as it took (docs/behaviour.md §1.6).
 */
export function longTurn(): Promise<void> {
  const turn = rested.then(() => nextTurn());
  rested = turn.then(async () => {
    const began = performance.now();
    await nextTurn();
    await sleep(performance.now() - began);
  });
  return turn;
}

/** How long the items of one call may be worked on in one turn of the event loop. */
const TURN_MS = 10;

/** Lets other calls have their turn between the items of a long one. */
export class EventLoopYield {
  private since = performance.now();

  /** Waits for the next long turn if the present one has lasted long enough. */
  async rest(): Promise<void> {
    if (performance.now() - this.since < TURN_MS) return;
    await longTurn();
    this.since = performance.now();
  }
}

export const systemTimers: Timers = {
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  every: (milliseconds, work) => {
    const timer = setInterval(work, milliseconds);
    return () => clearInterval(timer);
  },
  sleep: (milliseconds) => sleep(milliseconds),
  nextTurn: () => nextTurn(),
};
