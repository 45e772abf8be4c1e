import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');

interface Simulated {
  utilisation: number;
  meanWaitMs: number;
  p99Ms: number;
}

async function simulated<Answer>(...args: string[]): Promise<Answer> {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/simulate/run.mjs', ...args], { cwd: ROOT });
  return JSON.parse(stdout) as Answer;
}

/** Erlang's formula: how probable it is that a call finds all servers busy. */
function probabilityToWait(servers: number, load: number): number {
  const offered = servers * load;
  let blocked = 1;
  for (let n = 1; n <= servers; n++) blocked = (offered * blocked) / (n + offered * blocked);
  return blocked / (1 - load * (1 - blocked));
}

/** The simulation of docs/growth.md. Calls take 1 ms on average, times vary exponentially; 400,000 of them. */
describe('the simulated queue', () => {
  it.each([
    [1, 0.5],
    [1, 0.8],
    [4, 0.8],
    [16, 0.9],
  ])('before %i servers, loaded to %d, waits as M/M/c says', async (servers, load) => {
    const { utilisation, meanWaitMs } = await simulated<Simulated>('queue', String(servers), String(load));
    const expected = probabilityToWait(servers, load) / (servers * (1 - load));
    expect(Math.abs(utilisation / load - 1)).toBeLessThan(0.02);
    expect(Math.abs(meanWaitMs / expected - 1)).toBeLessThan(0.1);
  });

  it('has the tail of M/M/1', async () => {
    const { p99Ms } = await simulated<Simulated>('queue', '1', '0.5');
    expect(Math.abs(p99Ms / (Math.log(100) / 0.5) - 1)).toBeLessThan(0.05);
  });

  it('is the same again', async () => {
    const both = await Promise.all([simulated('queue', '4', '0.8'), simulated('queue', '4', '0.8')]);
    expect(both[0]).toEqual(both[1]);
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
