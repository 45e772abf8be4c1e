// npm run simulate:growth: machines, latencies, connections and disk for 1 to 1,000,000 shops, and what ends
// first. `-- check` measures what the model is fed with and compares it with the real service at three loads;
// `--keep` keeps what it is fed with. `-- check FILE` does it with the rounds of an earlier run, which that
// has left in bench/results/simulate.json. `-- queue SERVERS LOAD [SLICE]` simulates one queue (with slices
// of so many µs), `-- plan SHOPS …` has the rows for these; both print JSON, for the test.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { table } from '../../test/faults/suite/figures.mjs';
import { Random } from '../../dist/src/operator/demo/random.js';
import { simulate } from './installation.mjs';
import { plan } from './plan.mjs';
import { simulateQueue } from './queues.mjs';

const COSTS = path.join(import.meta.dirname, 'costs.json');
const SEED = 1;
const SHOPS = [1, 10, 100, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];

const GB = 1e9;

/** A row of the table; the times are of the busiest hour. */
function rowOf(costs, shops) {
  const { groups, perSecond, machines, disk, ...planned } = plan(costs, shops);
  const { times, posted } = simulate(new Random(SEED), costs, machines, perSecond);
  const { web, delivering, databases, processes, deliverers, cores, isOne } = machines;
  const ms = (name) => `${times[name].at(0.5).toFixed(1)} / ${times[name].at(0.99).toFixed(1)}`;
  return {
    shops: shops.toLocaleString('en'),
    groups: groups,
    'machines of a group': isOne
      ? '1 with everything'
      : `${web} web, ${delivering} deliver, ${databases} db, 1 Redis`,
    'all machines': isOne ? 1 : groups * (web + delivering + databases + 1),
    'of a group': isOne ? '1 process' : `${processes} + ${deliverers} processes, ${cores} cores db`,
    'calls a second': (groups * Object.values(perSecond).reduce((sum, rate) => sum + rate, 0)).toFixed(1),
    'get_order p50 / p99 ms': ms('get_order'),
    'change p50 / p99 ms': ms('set_order_status'),
    'commit to POST p99 ms': posted.at(0.99).toFixed(1),
    connections: `${planned.connections}${planned.needsPooler ? ', pooler' : ''}`,
    'disk GB a month': Number((disk.aMonth / GB).toPrecision(3)),
    'ends first': planned.endsFirst,
    used: `${Math.round(planned.used * 100)} %`,
  };
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === 'queue') {
  const [servers, load, sliceMicros] = rest.map(Number);
  process.stdout.write(
    `${JSON.stringify(simulateQueue(new Random(SEED), { servers, load, sliceMicros, calls: 400_000 }))}\n`,
  );
} else if (mode === 'check') {
  // What the others do not need is not loaded for them.
  const { check } = await import('./check.mjs');
  const recorded = rest.find((word) => word !== '--keep') ?? null;
  await check(() => new Random(SEED), { keepIn: rest.includes('--keep') ? COSTS : null, recorded });
} else {
  const costs = JSON.parse(readFileSync(COSTS, 'utf8'));
  const rows = (mode === 'plan' ? rest.map(Number) : SHOPS).map((shops) => rowOf(costs, shops));
  if (mode === 'plan') process.stdout.write(`${JSON.stringify(rows)}\n`);
  else console.log(table(Object.keys(rows[0]), rows));
}
