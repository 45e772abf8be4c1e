// One installation (a group of stores) at its busiest hour, call by call.
import { Gathering, Pool, ReadConnections } from './connections.mjs';
import { Machine, Process } from './machine.mjs';
import { around, Calendar, Flushes, Times } from './queues.mjs';

/** What the network between two machines takes one way, in µs. */
const ONE_WAY = 100;
/** What a partner's endpoint takes to answer, in µs. */
const ENDPOINT = 150_000;
/**
 * A tick of Linux's clock, in µs: it looks then who has run long enough, and which core should help another.
 */
const KERNEL_TICK = 4_000;
/**
 * What Linux multiplies the utilisation u of the cores by before a process that wakes up looks for a free
 * one: it looks at 1 - (1.17u)² of them (SIS_UTIL in the kernel's fair.c), so of two cores at none from 60 %
 * on.
 */
const MARGIN = 1.17;
/** Timers of Node go off at whole milliseconds. */
const TIMER_TICK = 1_000;
/** Of one process: src/platform/database. */
const READ_CONNECTIONS = 4;
const POOL = 10;
/** How long a process knows a token that it has looked up, in µs: src/platform/auth/token-registry.ts. */
const TOKEN_KNOWN = 5e6;
/** Tokens that call, each as often as any other. */
const TOKENS = 200;
/**
 * Ring, claim and record are a delivery's statements; claim, post and result what its process does. Each is
 * taken to cost a third.
 */
const PARTS_OF_DELIVERY = 3;
const CORES_OF_PROCESSES = 8;
const KINDS = ['web', 'delivering', 'database', 'caller'];

/**
 * @param random seeded  @param costs bench/simulate/costs.json
 * @param machines.processes that answer calls  @param machines.deliverers  @param machines.cores of the
 * database's machine
 * @param machines.isOne whether everything is on one machine: no network in between, and its cores for all
 * @param perSecond calls of each operation, or their shares where a generator has the pace
 * @param generator.callers of a load generator on the same machine; without one, people call by chance from
 * far away
 * @param generator.ratePerSecond its pace; without one, each caller calls again at once
 * @param isDelivered whether changes are
 */
export function simulate(
  random,
  costs,
  machines,
  perSecond,
  { calls = 40_000, generator = null, isDelivered = true } = {},
) {
  const world = new World(random, costs, machines, Object.keys(perSecond).length > 1);
  const deliverers = world.spread(isDelivered ? machines.deliverers : 0, 'delivering', (process) =>
    deliverer(world, process, generator ? world.process('caller', world.databaseMachine) : null),
  );
  const web = world.spread(machines.processes, 'web', (process) => answerer(world, process, deliverers));
  const times = Object.fromEntries(Object.keys(perSecond).map((name) => [name, new Times()]));
  const [all, posted] = [new Times(), world.posted];
  const total = Object.values(perSecond).reduce((sum, rate) => sum + rate, 0);
  const names = Object.keys(perSecond);
  const anyName = () => {
    let ticket = random.next() * total;
    return names.find((name) => (ticket -= perSecond[name]) < 0) ?? names.at(-1);
  };
  const { calendar } = world;
  let [sent, done, lastCall] = [0, 0, 0];
  /** @param from when it was sent  @param answered is called with what notes its end */
  const call = (from, answered) => {
    const name = anyName();
    least(web).call(name, () =>
      answered(() => {
        for (const kept of [times[name], all]) kept.add(calendar.now - from);
        [done, lastCall] = [done + 1, calendar.now];
      }),
    );
  };

  /** Calls that come by chance. */
  const arrive = () => {
    call(calendar.now, (end) => end());
    if (++sent < calls) calendar.in(around(random, 1e6 / total), arrive);
  };

  /**
   * A caller of bench/load.mjs: half of what the generator spends on a call comes before it, half after it.
   */
  const drive = (caller) => {
    if (sent >= calls) return;
    const due = (sent++ / generator.ratePerSecond) * 1e6;
    const half = () => around(random, costs.callerMicros / 2);
    const send = () => {
      let from = 0;
      caller.use(0, () => (from = calendar.now));
      caller.use(half(), () =>
        call(from, (end) =>
          caller.use(half(), () => {
            end();
            drive(caller);
          }),
        ),
      );
    };
    if (!generator.ratePerSecond) return send();
    const at = Math.max(due, calendar.now + TIMER_TICK);
    calendar.in(Math.max(0, Math.floor(at / TIMER_TICK) * TIMER_TICK - calendar.now), send);
  };

  if (generator) {
    const caller = world.process('caller', world.databaseMachine);
    for (let i = 0; i < generator.callers; i++) drive(caller);
  } else arrive();
  calendar.run();

  const { background } = costs;
  const spent = Object.fromEntries(KINDS.map((kind) => [kind, world.spentBy(kind, done)]));
  /** Busy by calls, and by what each does when nobody calls. */
  const cores = (kind, processes) =>
    (spent[kind].micros * done) / lastCall + (processes * background[kind]) / 1e6;
  return {
    times,
    all,
    posted,
    callsPerSecond: (done / lastCall) * 1e6,
    spent,
    cores: {
      web: cores('web', web.length),
      delivering: cores('delivering', deliverers.length),
      database: cores('database', 1),
    },
  };
}

const least = (those) => those.reduce((found, one) => (one.process.load < found.process.load ? one : found));

/** Machines, the processes on them, and what lies between them. */
class World {
  calendar = new Calendar();
  posted = new Times();
  #processes = [];

  constructor(random, costs, { cores, isOne }, isMix) {
    Object.assign(this, { random, costs, isOne, isMix });
    this.databaseMachine = this.#machine(cores);
    this.log = new Flushes(this.calendar, costs.flushMicros);
  }

  #machine(cores) {
    const { latencyMicros, sharing } = this.costs;
    return new Machine(this.calendar, cores, {
      latencyMicros,
      sharing,
      margin: MARGIN,
      sliceMicros: KERNEL_TICK,
      pullMicros: KERNEL_TICK,
    });
  }

  process(kind, machine) {
    const { waking, inAMix } = this.costs;
    const process = new Process(machine, { waking: waking[kind], factor: this.isMix ? inAMix[kind] : 1 });
    this.#processes.push({ kind, process });
    return process;
  }

  /** So many processes, on as few machines as have the cores. */
  spread(many, kind, madeOf) {
    let machine = this.databaseMachine;
    return Array.from({ length: many }, (_, i) => {
      if (!this.isOne && i % CORES_OF_PROCESSES === 0) machine = this.#machine(CORES_OF_PROCESSES);
      return madeOf(this.process(kind, machine));
    });
  }

  /** Processes of the database, a connection each. */
  backends(many) {
    return Array.from({ length: many }, () => this.process('database', this.databaseMachine));
  }

  around(mean) {
    return around(this.random, mean);
  }

  /** From one machine to another. */
  over(then) {
    if (this.isOne) then();
    else this.calendar.in(ONE_WAY, then);
  }

  /** Statements that go together: there, done, on disk if they change anything, and back. */
  ask(backend, micros, isCommit, then) {
    const answer = () => this.over(then);
    const flush = () => this.log.use(() => backend.use(0, answer));
    this.over(() => backend.use(micros, isCommit ? flush : answer));
  }

  /** What processes of a kind did for a call. */
  spentBy(kind, calls) {
    const those = this.#processes.filter((one) => one.kind === kind).map(({ process }) => process);
    const sum = (key) => those.reduce((total, process) => total + process[key], 0);
    const pace = sum('busyMicros') / Math.max(1, sum('aloneMicros'));
    return {
      micros: sum('busyMicros') / calls,
      wakingMicros: (pace * sum('wakingMicros')) / calls,
      pace,
      waitedMicros: sum('waitedMicros') / calls,
      wakes: sum('wakes') / calls,
      sleptMs: sum('sleptMs') / Math.max(1, sum('wakes')),
    };
  }
}

/** A process that answers calls. */
function answerer(world, process, deliverers) {
  const { calendar, costs } = world;
  const reads = new ReadConnections(calendar, world.backends(READ_CONNECTIONS));
  const [changes, system] = [new Pool(world.backends(POOL)), new Pool(world.backends(POOL))];
  const knownUntil = new Map();
  const bell = deliverers.length > 0 ? doorbell(world, deliverers) : null;

  function authenticate(then) {
    const token = Math.floor(world.random.next() * TOKENS);
    if (calendar.now < (knownUntil.get(token) ?? 0)) return then();
    // A short read, as get_order is.
    const { serviceMicros, databaseMicros } = costs.calls.get_order;
    system.take((backend, release) =>
      world.ask(backend, world.around(databaseMicros), false, () =>
        process.use(world.around(serviceMicros / 2), () => {
          knownUntil.set(token, calendar.now + TOKEN_KNOWN);
          release();
          then();
        }),
      ),
    );
  }

  function call(name, then) {
    const { serviceMicros, databaseMicros, isChange } = costs.calls[name];
    /** A change asks the database twice: for what it changes, and to keep it with its audit row. */
    const questions = isChange ? 2 : 1;
    const step = (next) => process.use(world.around(serviceMicros / (questions + 1)), next);
    const ask = (backend, isCommit, next) =>
      world.ask(backend, world.around(databaseMicros / questions), isCommit, () => step(next));
    const change = (backend, release) =>
      ask(backend, false, () =>
        ask(backend, true, () => {
          release();
          then();
          bell?.add(1);
        }),
      );
    const read = (backend, release) =>
      ask(backend, false, () => {
        release();
        then();
      });
    step(() => authenticate(() => (isChange ? changes.take(change) : reads.take(read))));
  }

  return { process, call };
}

/** Says to a process that delivers what there is to deliver: a notification of the database. */
function doorbell(world, deliverers) {
  const [ringing, listening] = world.backends(2);
  const micros = world.costs.delivery.databaseMicros / PARTS_OF_DELIVERY;
  return new Gathering((many, done) => {
    const at = world.calendar.now;
    world.ask(ringing, many * world.around(micros), true, () => {
      done();
      listening.use(0, () => world.over(() => least(deliverers).hear(many, at)));
    });
  });
}

/** A process that delivers. @param receiver who takes what it sends, if he is on the machine */
function deliverer(world, process, receiver) {
  const { calendar, costs } = world;
  const { serviceMicros, databaseMicros } = costs.delivery;
  const pool = new Pool(world.backends(POOL));
  const part = (many) => many * world.around(serviceMicros / PARTS_OF_DELIVERY);
  /** About so many deliveries at once. */
  const statement = (many, then) =>
    pool.take((backend, release) =>
      world.ask(backend, many * world.around(databaseMicros / PARTS_OF_DELIVERY), true, () =>
        process.use(0, () => {
          release();
          then();
        }),
      ),
    );
  const records = new Gathering((many, done) => statement(many, done));
  const post = (since) =>
    process.use(part(1), () => {
      world.posted.add(calendar.now - since);
      const answered = () => process.use(part(1), () => records.add(1));
      if (receiver) receiver.use(costs.callerMicros, answered);
      else calendar.in(ENDPOINT, answered);
    });
  const heard = [];
  const claims = new Gathering((many, done) =>
    process.use(part(many), () => {
      const those = heard.splice(0, many);
      statement(many, () => {
        for (const since of those) post(since);
        done();
      });
    }),
  );
  const hear = (many, since) => {
    for (let i = 0; i < many; i++) heard.push(since);
    claims.add(many);
  };
  return { process, hear };
}
