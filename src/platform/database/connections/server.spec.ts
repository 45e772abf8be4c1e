import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { eventually } from '../../../../test/support/eventually.js';
import { silenceable } from '../../../../test/support/servers/silenceable.js';
import { Client, CONNECTION, isLost, isWorthRepeating } from './connection.js';

const url = () => process.env.TEST_STORE_URL!;
const LIMIT_MS = 20_000;

async function opened(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

const endOf = (client: Client) => new Promise<void>((resolve) => client.once('end', () => resolve()));

describe('a connection', () => {
  it(
    'is ended when the server hangs',
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

  it('is given up when the server no longer takes writes', async () => {
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
    'waits for the server after it was lost, as in a restart',
    async () => {
      const way = await silenceable(url());
      const lost = await opened(way.url);
      const ended = endOf(lost);
      way.cut();
      await ended;
      const next = new Client({ ...CONNECTION, connectionString: way.url });
      const connected = next.connect();
      await eventually('the server was asked', () => way.refused > 0);
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
    const there = Object.assign(new URL(url()), { port: String(port) }).href;
    await expect(opened(there)).rejects.toThrow('ECONNREFUSED');
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
