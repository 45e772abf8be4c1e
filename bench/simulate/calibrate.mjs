// From what was measured to what the model is fed with: costs with which the model spends, under the loads
// that are there for it, what the service spent. The loads that the two are compared at have no part in it.
import { median, round } from '../service.mjs';
import { simulate } from './installation.mjs';

export const OPERATIONS = ['get_order', 'list_orders', 'set_order_status'];
export const MIX = { get_order: 0.8, list_orders: 0.1, set_order_status: 0.1 };
export const CALLERS = 64;
/** Loads at which processes sleep between calls, long and less long, as shares of what the machine gives. */
export const SLEEPY = { seldom: 0.1, often: 0.35 };
const CHANGES = new Set(['set_order_status']);
const KINDS = ['web', 'delivering', 'database', 'caller'];
const STEPS = 12;
/** Of what a step finds amiss it mends so much: costs depend on each other. */
const STEP = 0.7;
const SIMULATED_CALLS = 8_000;

/**
 * @param random makes a generator of chance, seeded the same each time
 * @param rounds of inTurns, medians of which are taken
 * @param measured flushMicros, bytes, background and sharing  @param cores of the machine
 * @returns what bench/simulate/costs.json holds
 */
export function calibrate(random, rounds, measured, cores) {
  const machines = { processes: 1, deliverers: 1, cores, isOne: true };
  const middle = (load, of) => median(rounds[load].map(of));
  /** What a kind of process spent on a call of a load, beyond what it spends when nobody calls. */
  const spent = (load, kind) => middle(load, (found) => perCall(found, kind, measured.background));
  const costs = start(middle, spent, measured);

  const run = (load, perSecond, options = {}) => {
    const generator = {
      callers: CALLERS,
      ratePerSecond: rounds[load][0].offered && middle(load, ({ offered }) => offered),
    };
    return simulate(random(), costs, machines, perSecond, { calls: SIMULATED_CALLS, generator, ...options })
      .spent;
  };
  /**
   * What is left of a cost when the model's own waking up has been taken away: a third at least, however far
   * off a noisy round is. And as it would be with the machine to itself.
   */
  const awake = (load, kind, model) => {
    const found = spent(load, kind);
    return Math.max(found / 3, found - model[kind].wakingMicros) / model[kind].pace;
  };

  for (let i = 0; i < STEPS; i++) {
    for (const operation of OPERATIONS) {
      const model = run(operation, { [operation]: 1 }, { isDelivered: false });
      costs.calls[operation].serviceMicros = awake(operation, 'web', model);
      costs.calls[operation].databaseMicros = awake(operation, 'database', model);
      if (operation === 'get_order') costs.callerMicros = awake(operation, 'caller', model);
    }
    const delivered = run('delivered', { set_order_status: 1 });
    const { databaseMicros } = costs.calls.set_order_status;
    costs.delivery.serviceMicros = awake('delivered', 'delivering', delivered);
    costs.delivery.databaseMicros = Math.max(1, awake('delivered', 'database', delivered) - databaseMicros);

    const mixed = run('mixed', MIX);
    for (const kind of KINDS) {
      const { micros, wakingMicros, pace } = mixed[kind];
      costs.inAMix[kind] *= (awake('mixed', kind, mixed) * pace) / (micros - wakingMicros);
    }
    const [seldom, often] = Object.keys(SLEEPY).map((load) => run(load, MIX));
    for (const kind of KINDS) {
      const amiss = [
        { amiss: spent('seldom', kind) - seldom[kind].micros, ...seldom[kind] },
        { amiss: spent('often', kind) - often[kind].micros, ...often[kind] },
      ].map(({ amiss: micros, wakes, sleptMs, pace }) => ({ ofWake: micros / wakes / pace, sleptMs }));
      correct(costs.waking[kind], amiss);
    }
    const waited = middle('seldom', ({ threads }) => threads.web.stretch - 1) * seldom.web.micros;
    costs.latencyMicros = Math.max(
      0,
      costs.latencyMicros + (STEP * (waited - seldom.web.waitedMicros)) / seldom.web.wakes,
    );
  }
  return rounded(costs);
}

/** What a round spent on a call. Of the generator it is known without what it does at rest. */
function perCall(found, kind, background) {
  return kind === 'caller' ? found.ownMicros : (found[kind] - found.seconds * background[kind]) / found.calls;
}

/** As if nobody ever slept, and a mix were the sum of its parts. */
function start(middle, spent, { background, ...measured }) {
  const calls = Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation,
      {
        serviceMicros: spent(operation, 'web'),
        databaseMicros: spent(operation, 'database'),
        walBytes: middle(operation, (found) => found.walBytes / found.calls),
        isChange: CHANGES.has(operation),
      },
    ]),
  );
  const more = (of) => Math.max(1, of('delivered') - of('set_order_status'));
  const delivery = {
    serviceMicros: spent('delivered', 'delivering'),
    databaseMicros: more((load) => spent(load, 'database')),
    walBytes: more((load) => middle(load, (found) => found.walBytes / found.calls)),
  };
  return {
    calls,
    delivery,
    callerMicros: spent('get_order', 'caller'),
    inAMix: Object.fromEntries(KINDS.map((kind) => [kind, 1])),
    waking: Object.fromEntries(KINDS.map((kind) => [kind, { micros: 50, perMsAsleep: 0 }])),
    latencyMicros: 0,
    background,
    ...measured,
  };
}

/**
 * Two loads, after a long and after a short sleep, say what waking up costs and how it grows. Where it would
 * cost less than nothing but for the sleep, the sleep is all it depends on.
 */
function correct(waking, those) {
  const [long, short] = those;
  const steeper = (STEP * (long.ofWake - short.ofWake)) / (long.sleptMs - short.sleptMs);
  const perMsAsleep = Math.max(0, waking.perMsAsleep + (long.sleptMs > short.sleptMs ? steeper : 0));
  const added = perMsAsleep - waking.perMsAsleep;
  const micros =
    waking.micros + (STEP * (long.ofWake + short.ofWake) - added * (long.sleptMs + short.sleptMs)) / 2;
  if (micros >= 0) return Object.assign(waking, { micros, perMsAsleep });
  const missing =
    those.reduce((sum, { ofWake, sleptMs }) => sum + (waking.micros + ofWake) / sleptMs, 0) / those.length;
  return Object.assign(waking, { micros: 0, perMsAsleep: Math.max(0, waking.perMsAsleep + STEP * missing) });
}

/** Whole microseconds and bytes, factors to two digits. */
function rounded(costs) {
  const of = (key, value) => {
    if (typeof value !== 'number') return value;
    return round(value, Math.abs(value) < 10 ? 2 : 0);
  };
  return JSON.parse(JSON.stringify(costs, of));
}
