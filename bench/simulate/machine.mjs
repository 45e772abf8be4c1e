// Processes that share the cores of a machine: they sleep, wake up, wait for a core, and are interrupted when
// others wait too. Times are in microseconds.

/**
 * A longer sleep makes waking up no dearer. Longer ones, at a tenth of a machine's load, are hardly measured.
 */
const COLD_MS = 5;

/** Half-life, in µs, of the utilisation that Linux goes by. */
const HALF_LIFE = 32_000;

/**
 * Cores with a queue each. As with Linux, a process that wakes up gets the core it had if that is free, or
 * another free one. The busier the machine, the fewer cores are looked at for that. If none is found, it
 * waits for the core of the process that woke it, or for the one it had if fewer wait there. Of the processes
 * that wait for a core, the one that has run least goes first.
 */
export class Machine {
  #cores;
  /** The core of the process that wakes others at the moment. */
  #waker = null;
  #utilisation = 0;
  #utilisationAt = 0;

  /**
   * @param latencyMicros how long a core that does nothing takes to begin
   * @param sliceMicros how long a process keeps a core that another waits for
   * @param pullMicros how long a process waits for its core before one with nothing to do takes it over
   * @param margin what Linux multiplies the utilisation by before it decides how many cores to look at; with
   * 0 it looks at all of them
   * @param sharing how much longer work takes while all other cores are busy: two may be threads of one, and
   * all share caches
   */
  constructor(
    calendar,
    cores,
    { latencyMicros = 0, sliceMicros = Infinity, pullMicros = 0, margin = 0, sharing = 1 } = {},
  ) {
    Object.assign(this, { calendar, latencyMicros, sliceMicros, pullMicros, margin, sharing });
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
    const isLess = this.#waker && this.#waker.ready.length < (core ? core.ready.length + 1 : Infinity);
    const target = isLess ? this.#waker : core;
    const free = this.#looked(target).find(({ current }) => !current);
    if (free || target) return free ?? target;
    return this.#cores.reduce((found, other) => (other.ready.length < found.ready.length ? other : found));
  }

  /** The cores among which a free one is looked for, beginning behind the one that is busy. */
  #looked(target) {
    this.#count();
    const many = Math.floor(this.#cores.length * (1 - (this.margin * this.#utilisation) ** 2));
    if (many < 1) return [];
    const at = this.#cores.indexOf(target);
    return [...this.#cores.slice(at + 1), ...this.#cores.slice(0, at + 1)].slice(0, many + 1);
  }

  /**
   * Keeps the utilisation up to date; to be called before it is used and before a core begins or ends to be
   * busy.
   */
  #count() {
    const { now } = this.calendar;
    const left = 0.5 ** ((now - this.#utilisationAt) / HALF_LIFE);
    const busy = this.#cores.filter(({ current }) => current).length / this.#cores.length;
    this.#utilisation = left * this.#utilisation + (1 - left) * busy;
    this.#utilisationAt = now;
  }

  #start(core, process, latency = 0) {
    this.#count();
    core.current = process;
    core.leastRan = Math.max(core.leastRan, process.ran);
    process.waitedMicros += this.calendar.now + latency - process.readyAt;
    this.calendar.in(latency, () => this.#run(core, process, this.sliceMicros));
  }

  #run(core, process, slice) {
    const pace = this.#pace(core);
    const micros = Math.min(slice, process.left * pace);
    this.calendar.in(micros, () => {
      this.#waker = core;
      const hasMore = process.run(micros, pace);
      this.#waker = null;
      const left = slice - micros;
      if (hasMore && left > 0) return this.#run(core, process, left);
      if (hasMore && core.ready.length === 0) return this.#run(core, process, this.sliceMicros);
      this.#count();
      core.current = null;
      if (hasMore) {
        process.readyAt = this.calendar.now;
        core.ready.push(process);
      }
      const next = this.#next(core);
      if (next) this.#start(core, next);
    });
  }

  /** What a piece of work takes now, of what it takes with the machine to itself. */
  #pace(core) {
    const others = this.#cores.filter((other) => other !== core);
    const busy = others.filter(({ current }) => current).length;
    return busy === 0 ? 1 : 1 + ((this.sharing - 1) * busy) / others.length;
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

/**
 * What a process has run counts beside those of its core; nobody saves up for later what he did not run while
 * he slept.
 */
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
  /** What that would have been with the machine to itself. */
  aloneMicros = 0;
  /** Of these, what waking up and going to sleep was. */
  wakingMicros = 0;
  /** For a core. */
  waitedMicros = 0;
  wakes = 0;
  sleptMs = 0;
  /** Of what it does now, with the machine to itself. */
  left = 0;
  /** What the machine goes by. */
  ran = 0;
  #work = [];
  #current = null;
  #goingToSleep = 0;
  #asleepSince = 0;

  /**
   * @param waking.micros what it spends on waking up and going to sleep again  @param waking.perMsAsleep and
   * in addition for each millisecond that it slept: others have used the caches meanwhile
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

  /** Spends processor time, `left` times `pace` at most. @returns whether there is more to do */
  run(micros, pace) {
    const done = micros / pace;
    this.busyMicros += micros;
    this.aloneMicros += done;
    this.ran += micros;
    // What arithmetic leaves of a piece is none.
    this.left = this.left - done > 1e-6 ? this.left - done : 0;
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
