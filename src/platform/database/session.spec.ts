import { DataSource } from 'typeorm';
import { silenceable } from '../../../test/support/servers/silenceable.js';
import { POOL } from './connections/connection.js';
import { ReadConnections } from './connections/read-connections.js';
import { statement } from './statement.js';
import { poolOf } from './connections/driver.js';
import { StoreSession } from './session.js';

declare module './statements.generated.js' {
  interface Statements {
    test_echo: { parameters: object; row: { id: string } };
    test_failure: { parameters: object; row: object };
  }
}
const ECHO = statement('test_echo', 'select $store::uuid as id');
const FAILURE = statement('test_failure', `select 1 / (length($store::text) - 36)`);
const STORE = '00000000-0000-7000-8000-000000000000';

describe('a session whose database falls silent', () => {
  it('fails after its time limit and gives up its connection', async () => {
    const way = await silenceable(process.env.TEST_STORE_URL!);
    const extra = { ...POOL, lostMs: 2_000, max: 1 };
    const dataSource = await new DataSource({ type: 'postgres', url: way.url, extra }).initialize();
    const reads = new ReadConnections(way.url);
    const open = () => new StoreSession(dataSource, reads, STORE);
    try {
      const session = open();
      expect(await session.run(ECHO)).toEqual([{ id: STORE }]);
      way.fallSilent();
      const startedAt = Date.now();
      await expect(session.run(ECHO)).rejects.toThrow('Connection terminated: no answer came');
      await session.rollback();
      expect(Date.now() - startedAt).toBeLessThan(10_000);
      expect(poolOf(dataSource).totalCount).toBe(0);

      const next = open();
      expect(await next.run(ECHO)).toEqual([{ id: STORE }]);
      way.fallSilent();
      await expect(next.commit()).rejects.toThrow('Connection terminated: no answer came');
      expect(poolOf(dataSource).totalCount).toBe(0);
      const last = open();
      expect(await last.run(ECHO)).toEqual([{ id: STORE }]);
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
    try {
      for (const end of [
        (session: StoreSession) => session.commit(),
        (session: StoreSession) => session.run(ECHO),
      ]) {
        const session = new StoreSession(dataSource, reads, STORE);
        await session.run(ECHO);
        session.send(FAILURE);
        session.send(ECHO);
        session.send(ECHO);
        await expect(end(session)).rejects.toMatchObject({ code: DIVISION_BY_ZERO });
        await session.rollback();
        const pool = poolOf(dataSource);
        expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
      }
      const session = new StoreSession(dataSource, reads, STORE);
      await session.rehearse(async () => {
        session.send(FAILURE);
        session.send(ECHO);
        await expect(session.commit()).rejects.toMatchObject({ code: DIVISION_BY_ZERO });
        await session.rollback();
        expect(await session.run(ECHO)).toEqual([{ id: STORE }]);
      });
      await session.commit();
    } finally {
      await reads.close();
      await dataSource.destroy();
    }
  });
});
