/** The current time, passed in so that tests can set it. Millisecond precision, UTC. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
