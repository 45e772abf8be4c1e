import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { silenceable } from '../../../test/support/silenceable.js';
import { CONNECTION } from './connection.js';
import { ReadLanes } from './read-lanes.js';

const url = () => process.env.TEST_STORE_URL!;
const one = { name: 'read_lanes_one', text: 'select 1 as one' };
const pid = { name: 'read_lanes_pid', text: 'select pg_backend_pid() as pid' };
const sleepFor = (seconds: number) => ({ name: 'read_lanes_sleep', text: 'select pg_sleep($1)', values: [seconds] });

describe('read lanes', () => {
  let lanes: ReadLanes;

  beforeEach(() => (lanes = new ReadLanes(url())));
  afterEach(() => lanes.close());

  it('answers each read with its own rows, however many go out at once', async () => {
    const values = Array.from({ length: 500 }, (_, i) => i);
    const query = (i: number) => ({ name: 'read_lanes_echo', text: 'select $1::integer as value', values: [i] });
    const answers = await Promise.all(values.map((i) => lanes.read<{ value: number }>(query(i))));
    expect(answers.map(([{ value }]) => value)).toEqual(values);
    expect(lanes.waiting).toBe(0);
  });

  it('keeps short reads on one connection', async () => {
    const pids = new Set<number>();
    for (let i = 0; i < 20; i++) pids.add((await lanes.read<{ pid: number }>(pid))[0].pid);
    expect(pids.size).toBe(1);
  });

  it('sends reads past one that takes long', async () => {
    await lanes.read(one);
    let isOver = false;
    const long = lanes.read(sleepFor(1)).then(() => (isOver = true));
    await sleep(20);
    await Promise.all(Array.from({ length: 30 }, () => lanes.read(one)));
    expect(isOver).toBe(false);
    await long;
  });

  it('fails one read for its own fault only', async () => {
    const bad = lanes.read({ name: 'read_lanes_bad', text: 'select 1 / $1::integer as one', values: [0] });
    const good = lanes.read(one);
    await expect(bad).rejects.toThrow('division by zero');
    expect(await good).toEqual([{ one: 1 }]);
  });

  it('reads anew what was under way on a connection that is lost', async () => {
    const [{ pid: before }] = await lanes.read<{ pid: number }>(pid);
    const reads = [lanes.read(sleepFor(0.2)), lanes.read<{ pid: number }>(pid)] as const;
    const owner = new pg.Client({ connectionString: process.env.TEST_OWNER_URL });
    await owner.connect();
    await owner.query('select pg_terminate_backend($1)', [before]).finally(() => owner.end());
    const [, [{ pid: after }]] = await Promise.all(reads);
    expect(after).not.toBe(before);
  });

  it('gives up after a second loss', async () => {
    const end = { name: 'read_lanes_end', text: 'select pg_terminate_backend(pg_backend_pid())' };
    await expect(lanes.read(end)).rejects.toThrow('terminating connection');
    expect(await lanes.read(one)).toEqual([{ one: 1 }]);
  });

  it('gives up a connection that has fallen silent, and reads anew', async () => {
    const way = await silenceable(url());
    const patient = new ReadLanes(way.url, { ...CONNECTION, query_timeout: 300 });
    const [{ pid: before }] = await patient.read<{ pid: number }>(pid);
    way.fallSilent();
    const [{ pid: after }] = await patient.read<{ pid: number }>(pid);
    expect(after).not.toBe(before);
    await patient.close();
    await way.close();
  });

  it('fails reads when the database cannot be reached', async () => {
    const nowhere = new URL(url());
    nowhere.port = '1';
    const lost = new ReadLanes(nowhere.href);
    await expect(lost.read(one)).rejects.toThrow('ECONNREFUSED');
    await lost.close();
  });
});
