import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findEmbeddedPostgres, stopUnusedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess } from '../support/servers/service-process.js';
import { type TestStore, useShop } from '../support/test-app.js';

/**
 * How a process stops (docs/behaviour.md §16): not ready first, then the port is closed, then what is under
 * way is answered.
 */
describe('a process that is stopping', () => {
  let store: TestStore;
  let orderId: number;
  const env = { ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!, LOG_LEVEL: 'silent', SHOP_ROLES: 'web' };

  const ready = async ({ url }: ServiceProcess) => {
    const response = await fetch(`${url}/health/ready`, { headers: { connection: 'close' } });
    return { status: response.status, body: await response.json() };
  };
  /** Returns once a call waits for a lock in this client's database. The server has those of other tests. */
  const untilWaiting = (locker: pg.Client) =>
    eventually('the call waits', async () => {
      // In a transaction the server shows the connections of the first look, until it is told otherwise.
      await locker.query('select pg_stat_clear_snapshot()');
      const waiting = await locker.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.rowCount! > 0;
    });
  /** A call on a connection of the agent's, of which the service has no byte yet. */
  const request = ({ url }: ServiceProcess, agent: Agent, operation: string, more: object = {}) =>
    httpRequest(`${url}/v1/${operation}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${store.tokens.admin}`,
        'Content-Type': 'application/json',
        ...more,
      },
      agent,
    });
  const answerTo = (sent: ClientRequest) =>
    new Promise<{ status: number; connection: string | undefined; body: any }>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            connection: response.headers.connection,
            body: JSON.parse(text),
          }),
        );
      });
    });
  /** One call on a connection of the agent's. */
  const call = (service: ServiceProcess, agent: Agent, operation: string, input: object) => {
    const sent = request(service, agent, operation);
    sent.end(JSON.stringify(input));
    return answerTo(sent);
  };

  const app = useShop(async () => ({ database: await preparedDatabase() }));
  beforeAll(async () => {
    store = await app.store();
    const { productId } = await store.product();
    orderId = (await store.place({ items: [{ productId, quantity: 1 }] })).id;
  });

  it('is not ready, accepts calls until the delay is over, answers those under way, and exits', async () => {
    const service = await ServiceProcess.start({
      ...env,
      DATABASE_URL: app.database.ownerUrl,
      // Longer than what has to happen in it takes on a busy machine.
      SHUTDOWN_DELAY: '10',
    });
    const agent = new Agent({ keepAlive: true });
    expect(await call(service, agent, 'get_order', { orderId })).toMatchObject({
      status: 200,
      connection: 'keep-alive',
    });
    expect((await ready(service)).status).toBe(200);
    const locker = new pg.Client({ connectionString: app.database.ownerUrl });
    await locker.connect();
    await locker.query('begin');
    await locker.query('select from orders where id = $1 for update', [orderId]);
    // It is under way all the time, and in the database only at the end: nothing waits there for so long. Its
    // body, blanks up to then, comes as fast as a body has to.
    const slow = request(service, new Agent({ keepAlive: true }), 'set_order_status', {
      Expect: '100-continue',
    });
    const underWay = answerTo(slow);
    slow.flushHeaders();
    await once(slow, 'continue');
    const blanks = setInterval(() => slow.write(' '.repeat(4_000)), 200);
    const started = performance.now();
    const stopped = service.stop();
    await eventually('it is not ready', async () => (await ready(service)).status === 503);
    expect(await ready(service)).toEqual({ status: 503, body: { status: 'stopping', checks: {} } });
    // The connection from before still serves, and is told to go; a new one is accepted.
    expect(await call(service, agent, 'get_order', { orderId })).toMatchObject({
      status: 200,
      connection: 'close',
    });
    expect(await call(service, new Agent(), 'get_order', { orderId })).toMatchObject({
      status: 200,
      connection: 'close',
    });
    await eventually('the port is closed', () =>
      ready(service).then(
        () => false,
        () => true,
      ),
    );
    expect(performance.now() - started).toBeGreaterThan(9_900);
    clearInterval(blanks);
    slow.end(JSON.stringify({ orderId, status: 'SHIPPED' }));
    await untilWaiting(locker);
    await locker.query('commit');
    await locker.end();
    expect(await underWay).toMatchObject({
      status: 200,
      connection: 'close',
      body: { data: { status: 'SHIPPED' } },
    });
    expect(await stopped).toBe(0);
  });

  it('waits neither for idle connections nor for silent ones', async () => {
    const service = await ServiceProcess.start({ ...env, DATABASE_URL: app.database.ownerUrl });
    const agent = new Agent({ keepAlive: true });
    await call(service, agent, 'get_order', { orderId });
    const silent = connect(Number(new URL(service.url).port), '127.0.0.1');
    silent.on('error', () => undefined);
    await new Promise((resolve) => silent.once('connect', resolve));
    const started = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - started).toBeLessThan(8_000);
    silent.destroy();
    agent.destroy();
  });

  it('cuts a call off that does not end, and stops the embedded database all the same', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'shop-stop-'));
    const service = await ServiceProcess.start({ ...env, DATA_DIR: dataDir });
    const locker = new pg.Client({ connectionString: (await findEmbeddedPostgres(dataDir))! });
    locker.on('error', () => undefined);
    await locker.connect();
    await locker.query('begin');
    await locker.query('lock table api_tokens in access exclusive mode');
    const cut = call(service, new Agent(), 'get_order', { orderId }).then(
      ({ status }) => status,
      () => 'no answer',
    );
    try {
      await untilWaiting(locker);
      expect(await service.stop()).toBe(1);
      // The database that stops may let go of the lock before it lets go of the call: 401, since it does not
      // know the token.
      expect([401, 503, 'no answer']).toContain(await cut);
      expect(await findEmbeddedPostgres(dataDir)).toBeNull();
      // A process that was cut off waits 2 s for its database, which then goes on stopping by itself.
      await eventually('the database has stopped', async () => {
        return !(await readdir(path.join(dataDir, 'postgres'))).includes('postmaster.pid');
      });
    } finally {
      await locker.end();
      await stopUnusedPostgres(dataDir);
    }
    await rm(dataDir, { recursive: true });
  });

  it('keeps idle connections longer than balancers do, and waits 30 s for headers', async () => {
    const server = app.nest.getHttpServer() as { keepAliveTimeout: number; headersTimeout: number };
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
    expect(server.headersTimeout).toBe(30_000);
  });

  it.each([
    [{ SHUTDOWN_DELAY: '-1' }, 'SHUTDOWN_DELAY'],
    [{ SHUTDOWN_DELAY: '1000' }, 'SHUTDOWN_DELAY'],
    [{ METRICS_PORT: '70000' }, 'METRICS_PORT'],
    [{ METRICS_PORT: '3999', PORT: '3999' }, 'METRICS_PORT'],
  ])('refuses %j', async (wrong: Record<string, string>, name) => {
    await expect(
      ServiceProcess.start({ ...env, ...wrong, DATABASE_URL: app.database.ownerUrl }),
    ).rejects.toThrow(new RegExp(`^the service ended with 1: [^\\n]*${name}`));
  });
});
