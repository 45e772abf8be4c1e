// The model beside the real service, at three loads of the same mix: processor time, throughput, latency.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { median, round, withDatabase } from '../service.mjs';
import { calibrate, CALLERS, MIX } from './calibrate.mjs';
import { simulate } from './installation.mjs';
import { Bench, inTurns, measureOthers } from './measure.mjs';

const LOADS = [0.2, 0.5, 0.75];
/** What counts as right. */
const WITHIN = 0.15;

/** What the model says, and what a round says. */
const FIGURES = {
  'calls a second': [({ callsPerSecond }) => callsPerSecond, ({ perSecond }) => perSecond],
  'cores of the process that answers': coresOf('web'),
  'cores of the database': coresOf('database'),
  'cores of the process that delivers': coresOf('delivering'),
  'p50 of all calls, ms': [({ all }) => all.at(0.5), ({ p50 }) => p50],
  'p99 of all calls, ms': [({ all }) => all.at(0.99), ({ p99 }) => p99],
};

function coresOf(kind) {
  return [({ cores }) => cores[kind], (found) => found[kind] / found.seconds / 1e6];
}

/**
 * @returns a row for each load and figure: what the model says, the median of what was measured, how far they
 * are apart
 */
function compareLoads(random, { rounds, cores }, costs) {
  const machines = { processes: 1, deliverers: 1, cores, isOne: true };
  return LOADS.flatMap((load) => {
    const generator = { callers: CALLERS, ratePerSecond: median(rounds[load].map(({ offered }) => offered)) };
    const model = simulate(random(), costs, machines, MIX, { generator });
    return Object.entries(FIGURES).map(([figure, [expected, measured]]) => {
      const real = median(rounds[load].map(measured));
      const apart = real / expected(model) - 1;
      return {
        load: `${load * 100} %`,
        figure,
        model: round(expected(model), 3),
        measured: round(real, 3),
        apart: `${round(apart * 100, 0)} %`,
        'within 15 %': Math.abs(apart) <= WITHIN ? 'yes' : 'no',
      };
    });
  });
}

/**
 * Measures, or takes what an earlier run measured, and says how far the model is from it.
 * @param random makes a generator of chance, seeded the same each time
 * @param options.keepIn the file for the costs, or null  @param options.recorded the file of an earlier run,
 * or null
 */
export async function check(random, { keepIn, recorded }) {
  const found = recorded ? JSON.parse(readFileSync(recorded, 'utf8')) : await measure();
  const costs = calibrate(random, found.rounds, found.measured, found.cores);
  console.log(JSON.stringify(costs, null, 2));
  if (keepIn) writeFileSync(keepIn, `${JSON.stringify(costs, null, 2)}\n`);
  console.table(compareLoads(random, found, costs));
}

async function measure() {
  return withDatabase(async (database) => {
    const bench = await Bench.set(database);
    // In the same turns as the costs are measured: on a machine that others use, a minute is not like the
    // next.
    const rounds = await inTurns(bench, LOADS);
    const cores = availableParallelism();
    const found = { cores, measured: await measureOthers(bench, cores), rounds };
    const results = path.join(import.meta.dirname, '../results');
    mkdirSync(results, { recursive: true });
    writeFileSync(path.join(results, 'simulate.json'), `${JSON.stringify(found, null, 2)}\n`);
    await bench.owner.end();
    return found;
  });
}
