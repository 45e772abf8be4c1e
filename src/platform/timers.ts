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
