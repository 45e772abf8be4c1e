// One installation (a group of stores) at its busiest hour, call by call.
import { around, Calendar, Flushes, Station, Times } from './queues.mjs';

/** What the network between two machines takes there and back, in µs. */
const ROUND_TRIP = 200;
/** What a partner's endpoint takes to answer, in µs. */
const ENDPOINT = 150_000;
/** As fast as a machine with nothing else to do. */
const ALONE = { web: 1, delivering: 1, database: 1, caller: 1 };

/**
 * @param random seeded  @param costs bench/simulate/costs.json
 * @param machines.processes that answer calls  @param machines.deliverers  @param machines.cores of the database's machine
 * @param machines.isOne whether everything is on one machine: no network in between
 * @param perSecond calls of each operation
 * @param evenly whether calls come at even distances, as a load generator's, not by chance, as people's
 * @param callers how many calls may be under way; whoever comes then waits for one to end
 * @param stretch how much longer each takes than it has work, where other programs have the cores
 * @param callerMicros what the caller itself spends on a call
 */
export function simulate(
  random,
  costs,
  { processes, deliverers, cores, isOne },
  perSecond,
  { calls = 40_000, evenly = false, callers = Infinity, stretch = ALONE, callerMicros = 0 } = {},
) {
  const calendar = new Calendar();
  const { wakeMicros } = costs;
  const processOf = (kind) => new Station(calendar, 1, { wakeMicros: wakeMicros[kind], stretch: stretch[kind] });
  const web = Array.from({ length: processes }, () => processOf('web'));
  const delivering = Array.from({ length: deliverers }, () => processOf('delivering'));
  const database = new Station(calendar, cores, { stretch: stretch.database });
  const log = new Flushes(calendar, costs.flushMicros);
  const network = isOne ? 0 : ROUND_TRIP;
  const times = Object.fromEntries(Object.keys(perSecond).map((name) => [name, new Times()]));
  const [all, posted] = [new Times(), new Times()];
  const least = (stations) => stations.reduce((found, station) => (station.load < found.load ? station : found));
  // What a process that was awake already sends goes out with other statements, and wakes the database once for all of them.
  const asked = (process, micros) => around(random, micros) + (process.load === 0 ? wakeMicros.database : 0);

  /** Half of what a process spends on a call comes before the database, half after it. */
  function call(name, then) {
    const { serviceMicros, databaseMicros, isChange } = costs.calls[name];
    const process = least(web);
    const half = around(random, serviceMicros) / 2;
    const inDatabase = asked(process, databaseMicros);
    process.use(half, () =>
      calendar.in(network, () =>
        database.use(inDatabase, () => {
          const answer = () => process.use(half, then);
          if (isChange) log.use(answer);
          else answer();
        }),
      ),
    );
  }

  function deliver() {
    const from = calendar.now;
    const { serviceMicros, databaseMicros } = costs.delivery;
    const half = around(random, serviceMicros) / 2;
    const process = least(delivering);
    process.use(half, () =>
      calendar.in(network, () =>
        database.use(around(random, databaseMicros / 2), () => {
          posted.add(calendar.now - from);
          calendar.in(ENDPOINT, () => process.use(half, () => database.use(around(random, databaseMicros / 2), () => {})));
        }),
      ),
    );
  }

  const total = Object.values(perSecond).reduce((sum, rate) => sum + rate, 0);
  const names = Object.keys(perSecond);
  const weights = names.map((name) => perSecond[name] / total);
  const gap = () => (evenly ? 1e6 / total : around(random, 1e6 / total));
  let [left, underWay, held, done, lastCall] = [calls, 0, 0, 0, 0];
  const begin = () => {
    let ticket = random.next();
    const name = names.find((_, i) => (ticket -= weights[i]) < 0) ?? names.at(-1);
    const from = calendar.now;
    underWay++;
    const end = () => {
      times[name].add(calendar.now - from);
      all.add(calendar.now - from);
      [underWay, done, lastCall] = [underWay - 1, done + 1, calendar.now];
      if (held > 0) [held] = [held - 1, begin()];
      if (costs.calls[name].isChange && deliverers > 0) deliver();
    };
    call(name, () => calendar.in(callerMicros * stretch.caller, end));
  };
  const arrive = () => {
    if (underWay < callers) begin();
    else held++;
    if (--left > 0) calendar.in(gap(), arrive);
  };
  arrive();
  calendar.run();
  /** Busy by calls, and by what each does when nobody calls. */
  const share = (stations, servers, atRest) =>
    (stations.reduce((sum, { busyMicros }) => sum + busyMicros, 0) / lastCall + atRest / 1e6) / servers;
  const { background } = costs;
  return {
    times,
    all,
    posted,
    callsPerSecond: (done / lastCall) * 1e6,
    utilisation: {
      web: share(web, processes, processes * background.web),
      delivering: deliverers > 0 ? share(delivering, deliverers, deliverers * background.delivering) : 0,
      database: share([database], cores, background.database),
    },
  };
}
