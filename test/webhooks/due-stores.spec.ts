import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { isLost } from '../../src/platform/database/connections/connection.js';
import { runOn, SystemDatabase } from '../../src/platform/database/system.js';
import {
  type AttemptRecord,
  type ClaimedDelivery,
  DeliveryQueue,
} from '../../src/webhooks/delivery/delivery-queue.js';
import { ownDatabase, type TestDatabase } from '../support/database/own-database.js';
import { waitsForLock } from '../support/database/waits-for-lock.js';
import { eventually } from '../support/eventually.js';
import { ownerQuery } from '../support/test-app.js';

const LEASE_MS = 60_000;
const RETRY_MS = 60_000;
const STORES = 12;
const WORKERS = 6;
const ROUNDS = 12;
/** On a slow machine, until something was tried again. */
const MOST_ROUNDS = 60;
const ROUND_MS = 120;
/** The longest that a lease or the wait for a retry takes in the random course. */
const LONGEST_MS = 40;

/**
 * What a statement of a look sees, and what it does not see yet, held open: no delivery that waits for its
 * retry is ever forgotten.
 */
describe('stores with something due', () => {
  let database: TestDatabase;
  let system: SystemDatabase;
  let queue: DeliveryQueue;

  const open = () => new SystemDatabase(database.systemUrl, { max: 4, onError: () => undefined });
  const owner = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    ownerQuery<Row>(text, values, database.ownerUrl);

  async function newStore(): Promise<string> {
    const id = randomUUID();
    await owner(
      `with s as (
         insert into stores (id, name, currency, plan, created_at, updated_at)
         values ($1, 'x', 'USD', 'pro', now(), now())
       )
       insert into webhook_endpoints (store_id, url, sealed_secret, pace, created_at, updated_at)
       values ($1, 'u', 's', 'prompt', now(), now())`,
      [id],
    );
    return id;
  }
  const insert = (storeId: string, by: (text: string, values: unknown[]) => Promise<unknown> = owner) =>
    by(
      `with e as (
         insert into order_events (store_id, id, event, body, created_at)
         values ($1, $2, 'order.updated', 'x', now())
       )
       insert into webhook_deliveries (store_id, id, next_attempt_at, created_at)
       values ($1, $2, now(), now())`,
      [storeId, randomUUID()],
    );
  const claimOne = async (storeId: string): Promise<ClaimedDelivery> =>
    (await queue.claim([{ storeId, free: 1 }], LEASE_MS))[0];
  const look = async () => (await queue.dueStores()).map(({ storeId }) => storeId).sort();
  const notes = (storeId: string) =>
    owner<{ due_at: Date }>('select due_at from webhook_due_stores where store_id = $1', [storeId]);

  beforeAll(async () => {
    database = await ownDatabase();
    system = open();
    queue = new DeliveryQueue(system);
    // The first look visits every store; those that follow do not.
    await queue.dueStores();
  });
  afterEach(() => owner('delete from stores'));
  afterAll(() => system.close());

  /** A queue whose statements are part of one transaction, which the test ends. */
  async function heldQueue(): Promise<{ held: DeliveryQueue; client: pg.PoolClient }> {
    const client = await system.pool.connect();
    await client.query('begin');
    const query: SystemDatabase['query'] = (statement, ...given) => runOn(client, statement, ...given);
    return { held: new DeliveryQueue({ query } as SystemDatabase), client };
  }

  it('are not visited while all their retries wait, and are found when one comes due', async () => {
    const store = await newStore();
    await insert(store);
    expect(await look()).toEqual([store]);
    await queue.record([failed(await claimOne(store), RETRY_MS)], 0);
    expect(await look()).toEqual([]);
    const [{ due_at: dueAt }] = await notes(store);
    expect(dueAt.getTime()).toBeGreaterThan(Date.now());
    // Instead of waiting: both are as much sooner, so that a note later than its retry stays too late.
    const sooner = (column: string) => `set ${column} = ${column} - interval '${RETRY_MS} ms'`;
    await owner(`update webhook_deliveries ${sooner('next_attempt_at')} where store_id = $1`, [store]);
    await owner(`update webhook_due_stores ${sooner('due_at')} where store_id = $1`, [store]);
    expect(await look()).toEqual([store]);
    const claimed = await claimOne(store);
    // Under way: the store is looked at again when the lease ends, should nobody record the attempt.
    expect(await look()).toEqual([]);
    expect((await notes(store))[0].due_at.getTime()).toBeGreaterThan(Date.now() + LEASE_MS / 2);
    await queue.release([claimed]);
    expect(await look()).toEqual([store]);
    await queue.record([{ ...failed(await claimOne(store), null), status: 'delivered' }], 0);
    expect(await look()).toEqual([]);
    expect(await notes(store)).toEqual([]);
  });

  it('are found when the attempt is recorded by a transaction that commits after a look', async () => {
    const store = await newStore();
    await insert(store);
    await queue.record([failed(await claimOne(store), 0)], 0);
    const claimed = await claimOne(store);
    const { held, client } = await heldQueue();
    await held.record([failed(claimed, 0)], 0);
    expect(await look()).toEqual([]);
    await client.query('commit');
    client.release();
    expect(await look()).toEqual([store]);
  });

  it('are found when the attempt is recorded between the two statements of a look', async () => {
    const store = await newStore();
    await insert(store);
    await queue.record([failed(await claimOne(store), 0)], 0);
    const claimed = await claimOne(store);
    let recorded: Promise<void> | undefined;
    const between = {
      query: system.query.bind(system),
      transaction: (work: (client: pg.PoolClient) => Promise<unknown>) =>
        system.transaction((client) => {
          const query = async (config: pg.QueryConfig) => {
            const result = await client.query(config);
            // It has to wait for the note that the look has locked.
            if (!recorded) {
              recorded = queue.record([failed(claimed, 0)], 0);
              await waitsForLock(client);
            }
            return result;
          };
          return work({ query } as unknown as pg.PoolClient);
        }),
    };
    await new DeliveryQueue(between as unknown as SystemDatabase).dueStores();
    await recorded;
    expect(await look()).toEqual([store]);
  });

  it('are found when a delivery is committed long after it was written', async () => {
    const store = await newStore();
    const client = await system.pool.connect();
    await client.query('begin');
    await insert(store, (text, values) => client.query(text, values));
    expect(await look()).toEqual([]);
    await client.query('commit');
    client.release();
    expect(await look()).toEqual([store]);
  });

  it('are found by the first look of a process even if nothing recorded them', async () => {
    const store = await newStore();
    await insert(store);
    await owner('update webhook_deliveries set failed_attempts = 1 where store_id = $1', [store]);
    expect(await look()).toEqual([]);
    await new DeliveryQueue(system).dueStores();
    expect(await look()).toEqual([store]);
  });

  it('have deliveries that outlived their endpoint settled by the first look, and no others', async () => {
    const [store, other] = [await newStore(), await newStore()];
    const client = await system.pool.connect();
    await client.query('begin');
    for (const id of [store, other]) await insert(id, (text, values) => client.query(text, values));
    await owner('delete from webhook_endpoints where store_id = $1', [store]);
    await client.query('commit');
    client.release();
    expect((await new DeliveryQueue(system).dueStores()).map(({ storeId }) => storeId)).toEqual([other]);
    const outcomes = await owner(
      `select store_id::text as store, status, next_attempt_at as next, finished_at is not null as settled
       from webhook_deliveries`,
    );
    expect(outcomes).toHaveLength(2);
    expect(outcomes.find((row) => row.store === store)).toMatchObject({
      status: 'failed',
      next: null,
      settled: true,
    });
    expect(outcomes.find((row) => row.store === other)).toMatchObject({
      status: 'pending',
      next: expect.any(Date),
      settled: false,
    });
  });

  it('are recorded and released side by side without a deadlock', async () => {
    const store = await newStore();
    await insert(store);
    const claimed = await claimOne(store);
    const client = await system.pool.connect();
    await client.query('begin');
    await client.query('select from webhook_deliveries where store_id = $1 for update', [store]);
    const released = queue.release([claimed]);
    await waitsForLock(client);
    const recorded = queue.record([failed(claimed, RETRY_MS)], 0);
    await waitsForLock(client, 2);
    await client.query('commit');
    client.release();
    await Promise.all([released, recorded]);
    const attempts = await owner('select from webhook_attempts where store_id = $1', [store]);
    expect(attempts).toHaveLength(1);
  });

  it('are all found after many workers claim, record, release, look and lose their connections', async () => {
    const stores = await Promise.all(Array.from({ length: STORES }, newStore));
    let retried = 0;
    for (let round = 0; round < ROUNDS || (retried <= STORES && round < MOST_ROUNDS); round++) {
      const until = Date.now() + ROUND_MS;
      await Promise.all(Array.from({ length: WORKERS }, () => work(stores, until)));
      await eventually('every retry has come due and every lease has ended', async () => {
        const later = 'greatest(next_attempt_at, lease_until) > now()';
        const found = await owner(
          `select from webhook_deliveries where status = 'pending' and ${later} limit 1`,
        );
        return found.length === 0;
      });
      const pending = await owner<{ id: string }>(
        `select distinct store_id::text as id from webhook_deliveries where status = 'pending' order by 1`,
      );
      expect({ round, due: await look() }).toEqual({ round, due: pending.map(({ id }) => id) });
      [{ retried }] = await owner<{ retried: number }>(
        `select count(*)::int as retried from webhook_deliveries where failed_attempts > 1`,
      );
    }
    expect(retried).toBeGreaterThan(STORES);
  });

  /**
   * A process that does what comes to its mind. Some of what it claims it forgets, and some of its
   * connections are cut.
   */
  async function work(stores: string[], until: number): Promise<void> {
    const own = open();
    const mine = new DeliveryQueue(own);
    const cuts: Promise<unknown>[] = [];
    const any = (below: number) => Math.floor(Math.random() * below);
    while (Date.now() < until) {
      const wanted = stores
        .filter(() => Math.random() < 0.4)
        .map((storeId) => ({ storeId, free: 1 + any(2) }));
      try {
        if (Math.random() < 0.3)
          await insert(
            stores[any(STORES)],
            async (text, values) => (await own.pool.query(text, values)).rows,
          );
        const claimed = await mine.claim(wanted, 1 + any(LONGEST_MS));
        const [kept, rest] = [claimed.filter((_, i) => i % 3 < 2), claimed.filter((_, i) => i % 3 === 2)];
        if (Math.random() < 0.5) await mine.release(rest);
        if (Math.random() < 0.3) await mine.dueStores(1_000);
        const retries = kept.map((delivery) => failed(delivery, any(LONGEST_MS)));
        if (Math.random() < 0.2) {
          const busy = `pid <> pg_backend_pid() and datname = current_database()
            and application_name = 'shop-system' and state <> 'idle'`;
          cuts.push(
            owner(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where ${busy} limit 1`),
          );
        }
        await Promise.all([mine.record(retries, 0), noteNextOf(mine)]);
      } catch (error) {
        if (!isLost(error)) throw error;
      }
    }
    // What comes after the round is not cut.
    await Promise.all(cuts);
    await own.close();
  }

  /** What every look does after it found what is due; without the first look's visit to every store. */
  const noteNextOf = (mine: DeliveryQueue) => (mine as unknown as { noteNext(): Promise<number> }).noteNext();
});

function failed(delivery: ClaimedDelivery, retryInMs: number | null): AttemptRecord {
  const outcome = {
    durationMs: 1,
    statusCode: 500,
    error: null,
    response: '',
    status: 'pending',
    pace: null,
  } as const;
  return { id: randomUUID(), delivery, begunAt: 0, endedAt: 0, retryInMs, ...outcome };
}
