import { DataSource } from 'typeorm';
import { eventually } from '../../../test/support/eventually.js';
import { silenceable } from '../../../test/support/servers/silenceable.js';
import { POOL } from './connections/connection.js';
import { ReadConnections } from './connections/read-connections.js';
import { statement } from './statement.js';
import { poolOf } from './connections/driver.js';
import { Caps } from '../caps/caps.js';
import { asRefusal, CallerLeft } from '../errors.js';
import { StoreConnections } from './connections/store-connections.js';
import { StoreSession } from './session.js';

declare module './statements.generated.js' {
  interface Statements {
    test_echo: { parameters: object; row: { id: string } };
    test_short_sleep: { parameters: object; row: { id: string } };
    test_sleep: { parameters: object; row: { id: string } };
    test_failure: { parameters: object; row: object };
  }
}
const QUERY_CANCELED = '57014';
/** Longer than a test waits, and ended by the role's own limit. */
const SLEEP = statement('test_sleep', `select $store::text as id, pg_sleep(60) as "a long sleep"`, {
  slow: true,
});
const SHORT_SLEEP = statement('test_short_sleep', `select $store::text as id, pg_sleep(0.1) as nap`);
const ECHO = statement('test_echo', 'select $store::uuid as id');
const FAILURE = statement('test_failure', `select 1 / (length($store::text) - 36)`);
const STORE = '00000000-0000-7000-8000-000000000000';

const connectionsOf = (dataSource: DataSource) =>
  new StoreConnections(dataSource, new Caps({ databasePool: 10 }), null);

describe('a session whose database falls silent', () => {
  it('fails after its time limit and gives up its connection', async () => {
    const way = await silenceable(process.env.TEST_STORE_URL!);
    const extra = { ...POOL, lostMs: 2_000, max: 1 };
    const dataSource = await new DataSource({ type: 'postgres', url: way.url, extra }).initialize();
    const reads = new ReadConnections(way.url);
    const connections = connectionsOf(dataSource);
    const open = () => new StoreSession(dataSource, reads, STORE, connections);
    try {
      const session = open();
      expect(await session.query(ECHO)).toEqual([{ id: STORE }]);
      way.fallSilent();
      const startedAt = Date.now();
      await expect(session.query(ECHO)).rejects.toThrow('Connection terminated: no answer came');
      await session.rollback();
      expect(Date.now() - startedAt).toBeLessThan(10_000);
      expect(poolOf(dataSource).totalCount).toBe(0);

      const next = open();
      expect(await next.query(ECHO)).toEqual([{ id: STORE }]);
      way.fallSilent();
      await expect(next.commit()).rejects.toThrow('Connection terminated: no answer came');
      expect(poolOf(dataSource).totalCount).toBe(0);
      const last = open();
      expect(await last.query(ECHO)).toEqual([{ id: STORE }]);
      await last.commit();
    } finally {
      await reads.close();
      await dataSource.destroy();
      await way.close();
    }
  });
});

describe('a session of which a statement fails', () => {
  const DIVISION_BY_ZERO = '22012';

  it('reports the first failure of all that it has sent, and gives its connection back', async () => {
    const url = process.env.TEST_STORE_URL!;
    const extra = { ...POOL, max: 1 };
    const dataSource = await new DataSource({ type: 'postgres', url, extra }).initialize();
    const reads = new ReadConnections(url);
    const connections = connectionsOf(dataSource);
    try {
      for (const end of [
        (session: StoreSession) => session.commit(),
        (session: StoreSession) => session.query(ECHO),
      ]) {
        const session = new StoreSession(dataSource, reads, STORE, connections);
        await session.query(ECHO);
        session.enqueue(FAILURE);
        session.enqueue(ECHO);
        session.enqueue(ECHO);
        await expect(end(session)).rejects.toMatchObject({ code: DIVISION_BY_ZERO });
        await session.rollback();
        const pool = poolOf(dataSource);
        expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
      }
      const session = new StoreSession(dataSource, reads, STORE, connections);
      await session.rehearse(async () => {
        session.enqueue(FAILURE);
        session.enqueue(ECHO);
        await expect(session.commit()).rejects.toMatchObject({ code: DIVISION_BY_ZERO });
        await session.rollback();
        expect(await session.query(ECHO)).toEqual([{ id: STORE }]);
      });
      await session.commit();
    } finally {
      await reads.close();
      await dataSource.destroy();
    }
  });
});

describe('a session that takes too long, or whose caller has left', () => {
  const url = process.env.TEST_STORE_URL!;
  let dataSource: DataSource;
  let reads: ReadConnections;
  let caller: AbortController;

  beforeEach(async () => {
    dataSource = await new DataSource({ type: 'postgres', url, extra: POOL }).initialize();
    reads = new ReadConnections(url);
    caller = new AbortController();
  });
  afterEach(async () => {
    await reads.close();
    await dataSource.destroy();
  });

  const open = () =>
    new StoreSession(dataSource, reads, STORE, connectionsOf(dataSource), () => caller.signal);
  /** How many statements of this file the database has under way. */
  const underWay = async () => {
    const [{ count }] = await dataSource.query<{ count: string }[]>(
      `select count(*) from pg_stat_activity where query like '%a long sleep%' and state = 'active'
         and pid <> pg_backend_pid()`,
    );
    return Number(count);
  };

  it('ends its transaction by the time of all its statements, and drops the connection', async () => {
    const session = open();
    await session.allow(500);
    const many = async () => {
      for (;;) await session.query(SHORT_SLEEP);
    };
    const refusal = asRefusal(await many().catch((error: unknown) => error));
    expect(refusal).toMatchObject({ status: 503, code: 'internal_error' });
    expect(asRefusal(await session.query(ECHO).catch((error: unknown) => error))?.status).toBe(503);
    await session.rollback();
    expect(poolOf(dataSource).totalCount).toBe(0);
  });

  it('ends a long read at the database, and no other statement', async () => {
    const read = open()
      .read(SLEEP)
      .catch((error: unknown) => error);
    await eventually('it sleeps', async () => (await underWay()) === 1);
    caller.abort();
    expect(await read).toBeInstanceOf(CallerLeft);
    await eventually('nothing sleeps', async () => (await underWay()) === 0);
    const next = open();
    expect(await next.query(ECHO)).toEqual([{ id: STORE }]);
    await next.commit();
  });

  it('ends a rehearsal, but not a change', async () => {
    const change = open();
    await change.query(ECHO);
    const session = open();
    const rehearsed = session.rehearse(() => session.query(SLEEP)).catch((error: unknown) => error);
    await eventually('it sleeps', async () => (await underWay()) === 1);
    caller.abort();
    expect(await rehearsed).toMatchObject({ code: QUERY_CANCELED });
    await session.rollback();
    expect(await change.query(ECHO)).toEqual([{ id: STORE }]);
    await change.commit();
  });
});
