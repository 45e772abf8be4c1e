import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');

interface Simulated {
  utilisation: number;
  meanWaitMs: number;
  slowness: number;
  p99Ms: number;
}

async function simulated<Answer>(...args: string[]): Promise<Answer> {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/simulate/run.mjs', ...args], {
    cwd: ROOT,
  });
  return JSON.parse(stdout) as Answer;
}

/** Erlang's formula: how probable it is that a call finds all servers busy. */
function probabilityToWait(servers: number, load: number): number {
  const offered = servers * load;
  let blocked = 1;
  for (let n = 1; n <= servers; n++) blocked = (offered * blocked) / (n + offered * blocked);
  return blocked / (1 - load * (1 - blocked));
}

/**
 * The simulation of docs/growth.md. Calls take 1 ms on average, times vary exponentially; 400,000 of them.
 */
describe('the simulated queue', () => {
  it.each([
    [1, 0.5],
    [1, 0.8],
    [4, 0.8],
    [16, 0.9],
  ])('of %i servers, loaded to %d, waits as long as M/M/c predicts', async (servers, load) => {
    const { utilisation, meanWaitMs } = await simulated<Simulated>('queue', String(servers), String(load));
    const expected = probabilityToWait(servers, load) / (servers * (1 - load));
    expect(Math.abs(utilisation / load - 1)).toBeLessThan(0.02);
    expect(Math.abs(meanWaitMs / expected - 1)).toBeLessThan(0.1);
  });

  it('has the tail of M/M/1', async () => {
    const { p99Ms } = await simulated<Simulated>('queue', '1', '0.5');
    expect(Math.abs(p99Ms / (Math.log(100) / 0.5) - 1)).toBeLessThan(0.05);
  });

  it('of a server that takes turns makes short and long calls equally slow', async () => {
    const { slowness } = await simulated<Simulated>('queue', '1', '0.5', '50');
    expect(Math.abs(slowness / 2 - 1)).toBeLessThan(0.1);
  });

  it('gives the same result again', async () => {
    const both = await Promise.all([simulated('queue', '4', '0.8'), simulated('queue', '4', '0.8')]);
    expect(both[0]).toEqual(both[1]);
  });
});

describe('the costs that the model uses', () => {
  /**
   * Loads of an installation that is itself simulated, as the command measures those of a real one, and the
   * costs made of them.
   */
  const CALIBRATED = `
    import { readFileSync } from 'node:fs';
    import { Random } from './dist/src/operator/demo/random.js';
    import { calibrate, CALLERS, MIX, OPERATIONS, SLEEPY } from './bench/simulate/calibrate.mjs';
    import { simulate } from './bench/simulate/installation.mjs';

    const real = { ...JSON.parse(readFileSync('bench/simulate/costs.json', 'utf8')), sharing: 1.4 };
    const { background, flushMicros, bytes, calls, delivery, sharing } = real;
    const machines = { processes: 1, deliverers: 1, cores: 2, isOne: true };
    const round = (perSecond, ratePerSecond, isDelivered = true) => {
      const generator = { callers: CALLERS, ratePerSecond };
      const found = simulate(new Random(2), real, machines, perSecond, { calls: 8_000, generator, isDelivered });
      const { web, delivering, database, caller } = found.spent;
      const seconds = 1_000 / found.callsPerSecond;
      const spent = (kind, at) => kind.micros * 1_000 + at * seconds;
      return [{
        calls: 1_000, seconds, offered: ratePerSecond, ownMicros: caller.micros, walBytes: 0,
        web: spent(web, background.web), delivering: spent(delivering, background.delivering), database: spent(database, background.database),
        threads: { web: { stretch: 1 + web.waitedMicros / web.micros } },
      }];
    };
    const capacity = 2_000;
    const rounds = {
      ...Object.fromEntries(OPERATIONS.map((name) => [name, round({ [name]: 1 }, undefined, false)])),
      delivered: round({ set_order_status: 1 }), mixed: round(MIX),
      ...Object.fromEntries(Object.entries(SLEEPY).map(([name, share]) => [name, round(MIX, share * capacity)])),
    };
    const found = calibrate(() => new Random(1), rounds, { background, flushMicros, bytes, sharing }, 2);
    const cores = (costs) => simulate(new Random(3), costs, machines, MIX, { generator: { callers: CALLERS, ratePerSecond: capacity / 2 } });
    const [one, other] = [cores(real), cores(found)];
    const ratios = Object.keys(one.cores).map((kind) => other.cores[kind] / one.cores[kind]);
    const latencies = [0.5, 0.99].map((share) => other.all.at(share) / one.all.at(share));
    console.log(JSON.stringify([...ratios, ...latencies, found.calls.get_order.serviceMicros / calls.get_order.serviceMicros]));`;

  it('are recovered from the loads of a model that has them', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', CALIBRATED],
      { cwd: ROOT },
    );
    for (const ratio of JSON.parse(stdout) as number[]) expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
  });
});

describe('the plan', () => {
  interface Row {
    groups: number;
    'all machines': number;
    connections: string;
    'disk GB a month': number;
    'ends first': string;
  }

  it('has one machine for ten shops, and more groups of stores for more shops than one database serves', async () => {
    const [few, many, more] = await simulated<Row[]>('plan', '10', '100000', '1000000');
    expect(few).toMatchObject({ groups: 1, 'all machines': 1, 'ends first': 'the one machine' });
    expect(more.groups).toBeGreaterThan(many.groups);
    expect(more['all machines']).toBeGreaterThan(many['all machines']);
    // Disks grow with the shops, however these are grouped.
    expect(more['disk GB a month'] / many['disk GB a month']).toBeCloseTo(10, 1);
  });
});
