// One installation (a group of stores) at its busiest hour, call by call.
import { around, Calendar, Flushes, Station, Times } from './queues.mjs';

/** What the network between two machines takes there and back, in µs. */
const ROUND_TRIP = 200;
/** What a partner's endpoint takes to answer, in µs. */
const ENDPOINT = 150_000;

/**
 * @param random seeded  @param costs bench/simulate/costs.json
 * @param machines.processes that answer calls  @param machines.deliverers  @param machines.cores of the database's machine
 * @param machines.isOne whether everything is on one machine: no network in between
 * @param perSecond calls of each operation
 * @param evenly whether calls come at even distances, as a load generator's, not by chance, as people's
 */
export function simulate(
  random,
  costs,
  { processes, deliverers, cores, isOne },
  perSecond,
  { calls = 40_000, evenly = false } = {},
) {
  const calendar = new Calendar();
  const web = Array.from({ length: processes }, () => new Station(calendar, 1));
  const delivering = new Station(calendar, deliverers);
  const database = new Station(calendar, cores);
  const log = new Flushes(calendar, costs.flushMicros);
  const network = isOne ? 0 : ROUND_TRIP;
  const times = Object.fromEntries(Object.keys(perSecond).map((name) => [name, new Times()]));
  const [all, posted] = [new Times(), new Times()];

  /** Half of what a process spends on a call comes before the database, half after it. */
  function call(name, then) {
    const { serviceMicros, databaseMicros, isChange } = costs.calls[name];
    const process = web.reduce((least, station) => (station.load < least.load ? station : least));
    const half = around(random, serviceMicros) / 2;
    process.use(half, () =>
      calendar.in(network, () =>
        database.use(around(random, databaseMicros), () => {
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
    delivering.use(half, () =>
      calendar.in(network, () =>
        database.use(around(random, databaseMicros / 2), () => {
          posted.add(calendar.now - from);
          calendar.in(ENDPOINT, () => delivering.use(half, () => database.use(around(random, databaseMicros / 2), () => {})));
        }),
      ),
    );
  }

  const total = Object.values(perSecond).reduce((sum, rate) => sum + rate, 0);
  const names = Object.keys(perSecond);
  const weights = names.map((name) => perSecond[name] / total);
  const gap = () => (evenly ? 1e6 / total : around(random, 1e6 / total));
  let left = calls;
  let lastCall = 0;
  const arrive = () => {
    let ticket = random.next();
    const name = names.find((_, i) => (ticket -= weights[i]) < 0) ?? names.at(-1);
    const from = calendar.now;
    call(name, () => {
      times[name].add(calendar.now - from);
      all.add(calendar.now - from);
      if (costs.calls[name].isChange && deliverers > 0) deliver();
    });
    lastCall = calendar.now;
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
    utilisation: {
      web: share(web, processes, processes * background.web),
      delivering: deliverers > 0 ? share([delivering], deliverers, deliverers * background.delivering) : 0,
      database: share([database], cores, background.database),
    },
  };
}
