import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { eventually } from '../../../../test/support/eventually.js';
import { silenceable } from '../../../../test/support/servers/silenceable.js';
import { hostsOf, withHost } from '../../config/database-url.js';
import { Client, CONNECTION, isLost, isWorthRepeating, POOL } from './connection.js';

const url = () => process.env.TEST_STORE_URL!;
/** Nobody listens there. */
const NOBODY = '127.0.0.1:1';
const LIMIT_MS = 20_000;

async function opened(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

const endOf = (client: Client) => new Promise<void>((resolve) => client.once('end', () => resolve()));

describe('a connection to one of several hosts', () => {
  it('goes to the host that takes writes, also from a pool', async () => {
    const several = withHost(url(), `${NOBODY},${hostsOf(url())[0]}`);
    const pool = new pg.Pool({ ...POOL, connectionString: several });
    const { rows } = await pool.query('select pg_is_in_recovery() as standby').finally(() => pool.end());
    expect(rows).toEqual([{ standby: false }]);
    const client = await opened(several);
    expect(client.port).toBe(Number(new URL(url()).port));
    await client.end();
  });

  it(
    'fails with what every host says',
    async () => {
      const client = new Client({ connectionString: withHost(url(), `${NOBODY},127.0.0.1:2`) });
      const failure = await client.connect().catch((error: Error) => error);
      const host = '127\\.0\\.0\\.1:\\d does not answer: ';
      expect((failure as Error).message).toMatch(
        new RegExp(`^no host of the database takes writes \\(${host}.*ECONNREFUSED.*; ${host}`),
      );
      expect([isLost(failure), isWorthRepeating(failure)]).toEqual([true, false]);
    },
    LIMIT_MS,
  );

  it('is refused at once where each host refuses the role', async () => {
    const other = await silenceable(url());
    const several = new URL(withHost(url(), hostsOf(url())[0]));
    several.password = 'wrong';
    const both = withHost(several.href, `${hostsOf(url())[0]},${hostsOf(other.url)[0]}`);
    const started = performance.now();
    await expect(opened(both)).rejects.toMatchObject({ code: '28P01' });
    expect(performance.now() - started).toBeLessThan(6_000);
    await other.close();
  });

  it(
    'is ended when its host hangs, and the next one goes to another host',
    async () => {
      const ways = [await silenceable(url()), await silenceable(url())];
      const several = withHost(url(), ways.map((way) => hostsOf(way.url)[0]).join(','));
      const client = await opened(several);
      const still = ways.find((way) => Number(new URL(way.url).port) === client.port)!;
      const ended = endOf(client);
      still.fallSilent({ hang: true });
      const failure = await client.query('select 1').catch((error: unknown) => error);
      expect([isLost(failure), isWorthRepeating(failure)]).toEqual([true, true]);
      await ended;
      const next = await opened(several);
      expect(next.port).not.toBe(client.port);
      await next.end();
      await Promise.all(ways.map((way) => way.close()));
    },
    LIMIT_MS,
  );

  it('looks for the primary again if no connection was open in between', async () => {
    const ways = [await silenceable(url()), await silenceable(url())];
    const several = withHost(url(), ways.map((way) => hostsOf(way.url)[0]).join(','));
    const first = await opened(several);
    const left = ways.find((way) => Number(new URL(way.url).port) === first.port)!;
    await first.end();
    await left.close();
    const next = await opened(several);
    expect(next.port).not.toBe(first.port);
    await next.end();
    await Promise.all(ways.map((way) => way.close()));
  });
});

describe('a connection to the only host', () => {
  it(
    'is ended when the host hangs',
    async () => {
      const still = await silenceable(url());
      const client = await opened(still.url);
      still.fallSilent({ hang: true });
      const failure = await client.query('select 1').catch((error: unknown) => error);
      expect(isLost(failure)).toBe(true);
      await still.close();
    },
    LIMIT_MS,
  );

  it(
    'is kept while a statement takes long',
    async () => {
      const client = await opened(url());
      await expect(client.query('select pg_sleep(7)')).resolves.toMatchObject({ rowCount: 1 });
      await client.end();
    },
    LIMIT_MS,
  );

  it('is given up when the host no longer takes writes', async () => {
    const client = await opened(process.env.TEST_OWNER_URL!);
    await client.query('set default_transaction_read_only = on');
    const ended = endOf(client);
    const failure = await client
      .query('create temporary table t (n int); create table never_made (n int)')
      .catch((e: unknown) => e);
    expect(failure).toMatchObject({ code: '25006' });
    expect([isLost(failure), isWorthRepeating(failure)]).toEqual([true, true]);
    await ended;
  });

  it(
    'waits for the host after it was lost, as in a restart',
    async () => {
      const way = await silenceable(url());
      const lost = await opened(way.url);
      const ended = endOf(lost);
      way.cut();
      await ended;
      const next = new Client({ ...CONNECTION, connectionString: way.url });
      const connected = next.connect();
      await eventually('the host was asked', () => way.refused > 0);
      way.mend();
      await connected;
      await next.end();
      await way.close();
    },
    LIMIT_MS,
  );

  it('fails at once where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await expect(opened(withHost(url(), `127.0.0.1:${port}`))).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a failure', () => {
  const refusal = (code: string) => Object.assign(new pg.DatabaseError(code, 5, 'error'), { code });

  it.each([
    ['of a server that stops', refusal('57P01'), true],
    ['of a statement', refusal('23505'), false],
    [
      'of a socket, wrapped',
      { driverError: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) },
      true,
    ],
    ['of a connection', new Error('Connection terminated unexpectedly'), true],
    ['to get a connection', new Error('timeout exceeded when trying to connect'), true],
    ['of something else', new Error('connection of another kind'), false],
    ['that is no error', undefined, false],
    ['that is nothing', null, false],
  ])('%s', (_name, failure, lost) => expect(isLost(failure)).toBe(lost));
});
