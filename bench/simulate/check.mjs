// The model beside the real service, at three loads of the same mix: processor time, throughput, latency.
import { availableParallelism } from 'node:os';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { round, withDatabase } from '../service.mjs';
import { simulate } from './installation.mjs';
import { Bench, measureCosts, MIX } from './measure.mjs';

const LOADS = [0.2, 0.5, 0.75];
const SECONDS = 15;
/** What counts as right. */
const WITHIN = 0.15;

/** @returns a row for each load and figure: what the model says, what was measured, how far they are apart */
async function compareLoads(bench, costs, random) {
  await bench.load({ mix: MIX, seconds: 5 });
  const { perSecond: capacity } = await bench.load({ mix: MIX, seconds: 8 });
  console.log(`capacity, as the machine is loaded at the moment: ${round(capacity, 0)} calls a second`);
  const rows = [];
  for (const load of LOADS) {
    const offered = capacity * load;
    const perSecond = Object.fromEntries(Object.entries(MIX).map(([name, share]) => [name, share * offered]));
    const machines = { processes: 1, deliverers: 1, cores: availableParallelism(), isOne: true };
    const model = simulate(random, costs, machines, perSecond, { evenly: true });
    const real = await bench.during({ mix: MIX, seconds: SECONDS, ratePerSecond: offered });
    const row = (figure, expected, measured) => {
      const apart = measured / expected - 1;
      rows.push({
        load: `${load * 100} %`,
        figure,
        model: round(expected, 3),
        measured: round(measured, 3),
        apart: `${round(apart * 100, 0)} %`,
        'within 15 %': Math.abs(apart) <= WITHIN ? 'yes' : 'no',
      });
    };
    const share = (micros) => micros / real.seconds / 1e6;
    row('calls a second', offered, real.perSecond);
    row('cores of the process that answers', model.utilisation.web, share(real.web));
    row('cores of the database', model.utilisation.database * machines.cores, share(real.database));
    row('cores of the process that delivers', model.utilisation.delivering, share(real.delivering));
    row('p50 of all calls, ms', model.all.at(0.5), real.p50);
    row('p99 of all calls, ms', model.all.at(0.99), real.p99);
  }
  return rows;
}

/** @param keepIn the file for the costs, or null */
export async function check(random, keepIn) {
  await withDatabase(async (database) => {
    const bench = await Bench.set(database);
    const costs = await measureCosts(bench);
    console.log(JSON.stringify(costs, null, 2));
    if (keepIn) writeFileSync(keepIn, `${JSON.stringify(costs, null, 2)}\n`);
    const rows = await compareLoads(bench, costs, random);
    console.table(rows);
    const results = path.join(import.meta.dirname, '../results');
    mkdirSync(results, { recursive: true });
    writeFileSync(path.join(results, 'simulate.json'), `${JSON.stringify({ costs, rows }, null, 2)}\n`);
    await bench.owner.end();
  });
}
