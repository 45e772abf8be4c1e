// The model beside the real service, at three loads of the same mix: processor time, throughput, latency.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { median, round, withDatabase } from '../service.mjs';
import { simulate } from './installation.mjs';
import { Bench, CALLERS, inTurns, measureCosts, MIX } from './measure.mjs';

const LOADS = [0.2, 0.5, 0.75];
/** What counts as right. */
const WITHIN = 0.15;

const MACHINES = { processes: 1, deliverers: 1, cores: availableParallelism(), isOne: true };

/** What the model says of a round, as the round itself says it. */
function modelOf({ offered, threads, callerStretch, ownMicros }, costs, random) {
  const perSecond = Object.fromEntries(Object.entries(MIX).map(([name, share]) => [name, share * offered]));
  // How long the machine takes for a microsecond of work is its other programs' doing, and not the model's to say.
  const { web, delivering } = threads;
  const stretch = { web: web.stretch, delivering: delivering.stretch, database: web.stretch, caller: callerStretch };
  const options = { evenly: true, callers: CALLERS, callerMicros: ownMicros, stretch };
  const { utilisation, all, callsPerSecond } = simulate(random, costs, MACHINES, perSecond, options);
  return { utilisation, callsPerSecond, p50: all.at(0.5), p99: all.at(0.99) };
}

const FIGURES = {
  'calls a second': [(model) => model.callsPerSecond, (found) => found.perSecond],
  'cores of the process that answers': [({ utilisation }) => utilisation.web, coresOf('web')],
  'cores of the database': [({ utilisation }) => utilisation.database * MACHINES.cores, coresOf('database')],
  'cores of the process that delivers': [({ utilisation }) => utilisation.delivering, coresOf('delivering')],
  'p50 of all calls, ms': [(model) => model.p50, (found) => found.p50],
  'p99 of all calls, ms': [(model) => model.p99, (found) => found.p99],
};

function coresOf(name) {
  return (found) => found[name] / found.seconds / 1e6;
}

/** @returns a row for each load and figure: what the model says, what was measured, how far they are apart; medians of the rounds */
function compareLoads(rounds, costs, random) {
  return LOADS.flatMap((load) => {
    const models = rounds[load].map((found) => modelOf(found, costs, random));
    const stretch = median(rounds[load].map(({ threads }) => threads.web.stretch));
    return Object.entries(FIGURES).map(([figure, [expected, measured]]) => {
      const [model, real] = [median(models.map(expected)), median(rounds[load].map(measured))];
      const apart = real / model - 1;
      return {
        load: `${load * 100} %`,
        'took, of what it ran': round(stretch),
        figure,
        model: round(model, 3),
        measured: round(real, 3),
        apart: `${round(apart * 100, 0)} %`,
        'within 15 %': Math.abs(apart) <= WITHIN ? 'yes' : 'no',
      };
    });
  });
}

/** @param keepIn the file for the costs, or null */
export async function check(random, keepIn) {
  await withDatabase(async (database) => {
    const bench = await Bench.set(database);
    // In the same turns as the costs are measured: on a machine that others use, a minute is not like the next.
    const rounds = await inTurns(bench, LOADS);
    const costs = await measureCosts(bench, rounds);
    console.log(JSON.stringify(costs, null, 2));
    if (keepIn) writeFileSync(keepIn, `${JSON.stringify(costs, null, 2)}\n`);
    const rows = compareLoads(rounds, costs, random);
    console.table(rows);
    const results = path.join(import.meta.dirname, '../results');
    mkdirSync(results, { recursive: true });
    writeFileSync(path.join(results, 'simulate.json'), `${JSON.stringify({ costs, rows, rounds }, null, 2)}\n`);
    await bench.owner.end();
  });
}
