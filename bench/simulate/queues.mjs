// A discrete-event simulation of calls that queue for processes, cores and the disk. Times are in microseconds.

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

/** Servers that are alike, with one queue before them: first come, first served. */
export class Station {
  busyMicros = 0;
  #waiting = [];
  #free;

  /**
   * @param wakeMicros what a server spends in addition when work finds all of them asleep
   * @param stretch how long a server takes for a microsecond of work, since it has to wait for a core now and then
   */
  constructor(calendar, servers, { wakeMicros = 0, stretch = 1 } = {}) {
    Object.assign(this, { calendar, servers, wakeMicros, stretch });
    this.#free = servers;
  }

  /** How many are here, waiting or being served. */
  get load() {
    return this.servers - this.#free + this.#waiting.length;
  }

  use(micros, then) {
    const spent = this.load === 0 ? micros + this.wakeMicros : micros;
    if (this.#free === 0) this.#waiting.push({ spent, then });
    else this.#serve(spent, then);
  }

  #serve(micros, then) {
    this.#free--;
    this.busyMicros += micros;
    this.calendar.in(micros * this.stretch, () => {
      this.#free++;
      const next = this.#waiting.shift();
      if (next) this.#serve(next.spent, next.then);
      then();
    });
  }
}

/** One disk flush at a time; whoever comes while it is under way shares the next one with all others who do. */
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

/** Calls that come by chance, `rate` a second on average, into a queue before `servers` servers: what M/M/c stands for. */
export function simulateQueue(random, { servers, load, calls, meanMicros = 1000 }) {
  const calendar = new Calendar();
  const station = new Station(calendar, servers);
  const [waited, took] = [new Times(), new Times()];
  let left = calls;
  const arrive = () => {
    const from = calendar.now;
    const micros = around(random, meanMicros);
    station.use(micros, () => {
      took.add(calendar.now - from);
      waited.add(calendar.now - from - micros);
    });
    if (--left > 0) calendar.in(around(random, meanMicros / (servers * load)), arrive);
  };
  arrive();
  calendar.run();
  return {
    utilisation: station.busyMicros / calendar.now / servers,
    meanWaitMs: waited.mean,
    p50Ms: took.at(0.5),
    p99Ms: took.at(0.99),
  };
}
