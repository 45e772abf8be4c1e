export const DAY_MS = 24 * 3_600_000;

/** The current time, passed in so that tests can set it. Millisecond precision, UTC. */
export abstract class Clock {
  abstract now(): Date;
  /**
   * Milliseconds since some moment, for durations. Unlike `now`, it does not jump when the machine's time is
   * set.
   */
  abstract elapsed(): number;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }

  elapsed(): number {
    return performance.now();
  }
}
