import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { waitsForLock } from '../../../../test/support/database/waits-for-lock.js';
import { eventually } from '../../../../test/support/eventually.js';
import { paced } from '../../../../test/support/waiting/paced.mjs';
import { silenceable } from '../../../../test/support/servers/silenceable.js';
import { ReadConnections, SHARING } from './read-connections.js';

const url = () => process.env.TEST_STORE_URL!;
const one = { name: 'read_connections_one', text: 'select 1 as one' };
const pid = { name: 'read_connections_pid', text: 'select pg_backend_pid() as pid' };
const sleepFor = (seconds: number) => ({
  name: 'read_connections_sleep',
  text: 'select pg_sleep($1)',
  values: [seconds],
});

/** A lock, and a read that waits for it until its owner's connection ends. */
async function lockOwner() {
  const client = new pg.Client({ connectionString: process.env.TEST_OWNER_URL });
  await client.connect();
  const values = [randomInt(2 ** 31)];
  await client.query('select pg_advisory_lock($1)', values);
  const waiting = { name: 'read_connections_wait', text: 'select pg_advisory_xact_lock($1)', values };
  return { client, waiting };
}

describe('read connections', () => {
  let reads: ReadConnections;

  beforeEach(() => (reads = new ReadConnections(url())));
  afterEach(() => reads.close());

  it('answers each read with its own rows, however many go out at once', async () => {
    const values = Array.from({ length: 500 }, (_, i) => i);
    const query = (i: number) => ({
      name: 'read_connections_echo',
      text: 'select $1::integer as value',
      values: [i],
    });
    const answers = await Promise.all(values.map((i) => reads.read<{ value: number }>(query(i))));
    expect(answers.map(([{ value }]) => value)).toEqual(values);
    expect(reads.waiting).toBe(0);
  });

  it('keeps short reads on one connection', async () => {
    const pids = new Set<number>();
    for (let i = 0; i < 20; i++) pids.add((await reads.read<{ pid: number }>(pid))[0].pid);
    expect(pids.size).toBe(1);
  });

  it('keeps as many reads on one connection as it answers within milliseconds', async () => {
    const answers = await Promise.all(Array.from({ length: 32 }, () => reads.read<{ pid: number }>(pid)));
    expect(new Set(answers.map(([row]) => row.pid)).size).toBe(1);
  });

  it('sends other reads on another connection than a slow one', async () => {
    await reads.read(one);
    const owner = await lockOwner();
    let isOver = false;
    const long = reads.read(owner.waiting).then(() => (isOver = true));
    await waitsForLock(owner.client);
    // From then on the connection counts as held up.
    await paced(5 * SHARING.movingMs);
    await Promise.all(Array.from({ length: 30 }, () => reads.read(one)));
    expect(isOver).toBe(false);
    await owner.client.end();
    await long;
  });

  it('fails only the read that is wrong', async () => {
    const bad = reads.read({
      name: 'read_connections_bad',
      text: 'select 1 / $1::integer as one',
      values: [0],
    });
    const good = reads.read(one);
    await expect(bad).rejects.toThrow('division by zero');
    expect(await good).toEqual([{ one: 1 }]);
  });

  it('repeats the reads of a lost connection', async () => {
    const [{ pid: before }] = await reads.read<{ pid: number }>(pid);
    // The first read cannot be answered before the connection is lost.
    const owner = await lockOwner();
    const twoReads = [reads.read(owner.waiting), reads.read<{ pid: number }>(pid)] as const;
    await owner.client.query('select pg_terminate_backend($1)', [before]).finally(() => owner.client.end());
    const [, [{ pid: after }]] = await Promise.all(twoReads);
    expect(after).not.toBe(before);
  });

  it('fails a read after a second lost connection', async () => {
    const end = { name: 'read_connections_end', text: 'select pg_terminate_backend(pg_backend_pid())' };
    await expect(reads.read(end)).rejects.toThrow('terminating connection');
    expect(await reads.read(one)).toEqual([{ one: 1 }]);
  });

  it('gives up a connection without answers, and repeats its reads', async () => {
    const way = await silenceable(url());
    const patient = new ReadConnections(way.url, 1_500);
    const [{ pid: before }] = await patient.read<{ pid: number }>(pid);
    way.fallSilent();
    const [{ pid: after }] = await patient.read<{ pid: number }>(pid);
    expect(after).not.toBe(before);
    await patient.close();
    await way.close();
  });

  it('keeps a connection that answers, however long its queue is', async () => {
    const patient = new ReadConnections(url(), 5_000);
    const reads = Array.from({ length: 16 }, () => patient.read<{ pid: number }>(pid));
    const [[{ pid: before }]] = await Promise.all(reads);
    // Between two reads that go out at the same moment no other connection is chosen.
    const frozen = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const slow = Array.from({ length: 8 }, () => patient.read(sleepFor(1)));
    frozen.mockRestore();
    const pids = {
      name: 'read_connections_pids',
      text: `select pid from pg_stat_activity where pid = $1`,
      values: [before],
    };
    await Promise.all(slow);
    expect(await patient.read(pids)).toEqual([{ pid: before }]);
    await patient.close();
  });

  it('does not repeat a read if no connection can be opened', async () => {
    let connections = 0;
    const mute = createServer((socket) => {
      // The host is asked beside whether it is alive.
      socket
        .on('error', () => undefined)
        .on('data', (data) => (connections += Number(data.includes('shop-store-reads'))));
    }).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const through = new URL(url());
    through.port = String((mute.address() as AddressInfo).port);
    through.searchParams.set('connect_timeout', '1');
    const lost = new ReadConnections(through.href);
    await expect(lost.read(one)).rejects.toThrow();
    expect(connections).toBe(1);
    mute.close();
  });

  it('opens nothing once it is closed', async () => {
    const early = new ReadConnections(url());
    const reads = [early.read(one), early.read<{ pid: number }>(pid)] as const;
    await early.close();
    await Promise.allSettled(reads);
    await expect(early.read(one)).rejects.toThrow('closed');
    const owner = new pg.Client({ connectionString: process.env.TEST_OWNER_URL });
    await owner.connect();
    const [, answer] = await Promise.allSettled(reads);
    const left = answer.status === 'fulfilled' ? answer.value[0].pid : 0;
    const backend = () => owner.query('select 1 from pg_stat_activity where pid = $1', [left]);
    await eventually('its connection has ended', async () => (await backend()).rowCount === 0);
    await owner.end();
  });

  it('fails reads when the database cannot be reached', async () => {
    const nowhere = new URL(url());
    nowhere.port = '1';
    const lost = new ReadConnections(nowhere.href);
    await expect(lost.read(one)).rejects.toThrow('ECONNREFUSED');
    await lost.close();
  });
});
