// Processes that share the cores of a machine: they sleep, wake up, wait for a core, and are interrupted when others wait too.
// Times are in microseconds.

/** A longer sleep makes waking up no dearer. Longer ones, at a tenth of a machine's load, are hardly measured. */
const COLD_MS = 5;

/**
 * Cores with a queue each. As with Linux, who wakes up gets the core it had, or one that is free, or else waits where it was; of those
 * that wait, the one that has run least goes first.
 */
export class Machine {
  #cores;

  /**
   * @param latencyMicros how long a core that does nothing takes to begin
   * @param sliceMicros how long a process keeps a core that another waits for
   * @param pullMicros how long a process waits for its core before one with nothing to do takes it over
   */
  constructor(calendar, cores, { latencyMicros = 0, sliceMicros = Infinity, pullMicros = 0 } = {}) {
    Object.assign(this, { calendar, latencyMicros, sliceMicros, pullMicros });
    this.#cores = Array.from({ length: cores }, () => ({ ready: [], current: null, leastRan: 0 }));
  }

  /** To be called when a process that slept has work. */
  wake(process) {
    const core = this.#coreFor(process);
    move(process, core);
    process.readyAt = this.calendar.now;
    if (core.current) core.ready.push(process);
    else this.#start(core, process, this.latencyMicros);
  }

  #coreFor({ core }) {
    if (core && !core.current) return core;
    const free = this.#cores.find(({ current }) => !current);
    if (free || core) return free ?? core;
    return this.#cores.reduce((found, other) => (other.ready.length < found.ready.length ? other : found));
  }

  #start(core, process, latency = 0) {
    core.current = process;
    core.leastRan = Math.max(core.leastRan, process.ran);
    process.waitedMicros += this.calendar.now + latency - process.readyAt;
    this.calendar.in(latency, () => this.#run(core, process, this.sliceMicros));
  }

  #run(core, process, slice) {
    const micros = Math.min(slice, process.left);
    this.calendar.in(micros, () => {
      const hasMore = process.run(micros);
      const left = slice - micros;
      if (hasMore && left > 0) return this.#run(core, process, left);
      if (hasMore && core.ready.length === 0) return this.#run(core, process, this.sliceMicros);
      core.current = null;
      if (hasMore) {
        process.readyAt = this.calendar.now;
        core.ready.push(process);
      }
      const next = this.#next(core);
      if (next) this.#start(core, next);
    });
  }

  #next(core) {
    if (core.ready.length > 0) return takeLeast(core.ready);
    const isDue = ({ readyAt }) => this.calendar.now - readyAt >= this.pullMicros;
    const other = this.#cores.find(({ ready }) => ready.some(isDue));
    const process = other ? takeLeast(other.ready) : null;
    if (process) move(process, core);
    return process;
  }
}

/** What a process has run counts beside those of its core; nobody saves up for later what he did not run while he slept. */
function move(process, core) {
  const ahead = process.core ? Math.max(0, process.ran - process.core.leastRan) : 0;
  process.ran = core.leastRan + ahead;
  process.core = core;
}

/** The one that has run least; of equal ones the first. */
function takeLeast(ready) {
  const least = ready.reduce((found, process, i) => (process.ran < ready[found].ran ? i : found), 0);
  return ready.splice(least, 1)[0];
}

/** Does one thing after the other, and sleeps when there is nothing to do. */
export class Process {
  busyMicros = 0;
  /** Of these, what waking up and going to sleep took. */
  wakingMicros = 0;
  /** For a core. */
  waitedMicros = 0;
  wakes = 0;
  sleptMs = 0;
  /** Of what it does now. */
  left = 0;
  /** What the machine goes by. */
  ran = 0;
  #work = [];
  #current = null;
  #goingToSleep = 0;
  #asleepSince = 0;

  /**
   * @param waking.micros what it spends on waking up and going to sleep again  @param waking.perMsAsleep and in addition for each
   * millisecond that it slept: others have used the caches meanwhile
   * @param factor what its work takes, of what it takes when nothing else is done
   */
  constructor(machine, { waking = { micros: 0, perMsAsleep: 0 }, factor = 1 } = {}) {
    Object.assign(this, { machine, waking, factor });
  }

  /** How many things there are to do, with the one that is being done. */
  get load() {
    return this.#work.length + (this.#current ? 1 : 0);
  }

  /** @param micros of processor time  @param then is called when they have been spent */
  use(micros, then) {
    this.#work.push({ micros: micros * this.factor, then });
    if (this.#current) return;
    const asleepMs = Math.min(COLD_MS, (this.machine.calendar.now - this.#asleepSince) / 1000);
    const waking = this.waking.micros + this.waking.perMsAsleep * asleepMs;
    this.wakes++;
    this.sleptMs += asleepMs;
    this.wakingMicros += waking;
    // Half of it comes before its work, half after it, when whoever waits for that has it already.
    this.#goingToSleep = waking / 2;
    this.#begin(this.#work.shift());
    this.left += waking / 2;
    this.machine.wake(this);
  }

  #begin(work) {
    this.#current = work;
    this.left = work?.micros ?? 0;
  }

  /** Spends processor time, `left` at most. @returns whether there is more to do */
  run(micros) {
    this.busyMicros += micros;
    this.ran += micros;
    this.left = Math.max(0, this.left - micros);
    if (this.left > 0) return true;
    this.#current.then();
    if (this.#work.length > 0) this.#begin(this.#work.shift());
    else if (this.#goingToSleep > 0) {
      this.#begin({ micros: this.#goingToSleep, then: () => undefined });
      this.#goingToSleep = 0;
    } else {
      this.#begin(null);
      this.#asleepSince = this.machine.calendar.now;
    }
    return this.#current !== null;
  }
}
