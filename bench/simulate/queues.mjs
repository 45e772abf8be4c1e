// A discrete-event simulation: its calendar, the disk, times of calls, chance. Times are in microseconds.
import { Machine, Process } from './machine.mjs';

/** What is to happen, in the order of its time. */
export class Calendar {
  now = 0;
  /** Latest first. */
  #events = [];

  in(delay, work) {
    const at = this.now + delay;
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#events[middle].at > at) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, { at, work });
  }

  run() {
    for (let next = this.#events.pop(); next; next = this.#events.pop()) {
      this.now = next.at;
      next.work();
    }
  }
}

/**
 * One disk flush at a time; whoever comes while it is under way shares the next one with all others who do.
 */
export class Flushes {
  #waiting = [];
  #isUnderWay = false;

  constructor(calendar, micros) {
    Object.assign(this, { calendar, micros });
  }

  use(then) {
    this.#waiting.push(then);
    if (!this.#isUnderWay) this.#flush();
  }

  #flush() {
    const those = this.#waiting;
    this.#waiting = [];
    this.#isUnderWay = true;
    this.calendar.in(this.micros, () => {
      this.#isUnderWay = false;
      if (this.#waiting.length > 0) this.#flush();
      for (const then of those) then();
    });
  }
}

/** Times of calls, without those at the beginning, when nothing queues yet. */
export class Times {
  #values = [];

  add(micros) {
    this.#values.push(micros);
  }

  /** @returns the time, in ms, that the share of the calls is done in */
  at(share) {
    const steady = this.#values.slice(this.#values.length / 10).sort((a, b) => a - b);
    return steady[Math.min(steady.length - 1, Math.floor(steady.length * share))] / 1000;
  }

  get mean() {
    const steady = this.#values.slice(this.#values.length / 10);
    return steady.reduce((sum, value) => sum + value, 0) / steady.length / 1000;
  }
}

/** A time around a mean: exponential, as a sum of many small things that vary independently is at worst. */
export const around = (random, mean) => -Math.log(1 - random.next()) * mean;

/**
 * Calls that come by chance, each a process of its own before `servers` cores: what M/M/c stands for, and
 * with short slices what is known of processors that are shared.
 */
export function simulateQueue(random, { servers, load, calls, sliceMicros, meanMicros = 1000 }) {
  const calendar = new Calendar();
  const machine = new Machine(calendar, servers, { sliceMicros });
  const [waited, took] = [new Times(), new Times()];
  let [left, busyMicros, slowness] = [calls, 0, 0];
  const arrive = () => {
    const from = calendar.now;
    const process = new Process(machine);
    const micros = around(random, meanMicros);
    process.use(micros, () => {
      slowness += (calendar.now - from) / micros;
      busyMicros += process.busyMicros;
      waited.add(process.waitedMicros);
      took.add(calendar.now - from);
    });
    if (--left > 0) calendar.in(around(random, meanMicros / (servers * load)), arrive);
  };
  arrive();
  calendar.run();
  return {
    utilisation: busyMicros / calendar.now / servers,
    meanWaitMs: waited.mean,
    /** How much longer a call took than it had work, on average. */
    slowness: slowness / calls,
    p50Ms: took.at(0.5),
    p99Ms: took.at(0.99),
  };
}
