/** The current time, passed in so that tests can set it. Millisecond precision, UTC. */
export abstract class Clock {
  abstract now(): Date;
  /** Milliseconds since some moment, for durations: unlike `now` it never steps, whoever sets the machine's time. */
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
