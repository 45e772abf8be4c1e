import { randomUUID } from 'node:crypto';
import { SystemClock } from '../../src/platform/clock.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { systemTimers } from '../../src/platform/timers.js';
import { AttemptRecorder } from '../../src/webhooks/delivery/attempts/attempt-recorder.js';
import {
  type AttemptRecord,
  type ClaimedDelivery,
  DeliveryQueue,
} from '../../src/webhooks/delivery/delivery-queue.js';
import { Dispatcher } from '../../src/webhooks/delivery/dispatcher.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { atRest } from '../support/waiting/deliveries.js';
import { DatabaseClock } from '../support/database/database-clock.js';
import { ownDatabase } from '../support/database/own-database.js';
import { eventually, gate } from '../support/eventually.js';
import { Receiver } from '../support/servers/receiver.js';
import { TestApp, type TestStore } from '../support/test-app.js';

/** The lease outlasts the time-out by this much (decision 4). */
const LEASE_MARGIN_MS = 5_000;

/** The moments that are over in a millisecond, held open. */
describe('the dispatcher', () => {
  let app: TestApp;
  let store: TestStore;
  let receiver: Receiver;
  let clock: DatabaseClock;

  const order = async () =>
    store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] });
  const rows = () =>
    app.query<{ status: string; lease_until: Date | null; failed_attempts: number }>(
      'select status, lease_until, failed_attempts from webhook_deliveries where store_id = $1 order by id',
      [store.id],
    );
  /** Holds every claim back, after it took its rows, until told to let go. */
  function holdClaims() {
    const queue = app.nest.get(DeliveryQueue);
    const claim = queue.claim.bind(queue);
    let letGo = () => undefined as void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let hasClaimed = () => undefined as void;
    const claimed = new Promise<void>((resolve) => (hasClaimed = resolve));
    jest.spyOn(queue, 'claim').mockImplementation(async (...values) => {
      const taken = await claim(...values);
      if (taken.length === 0) return taken;
      hasClaimed();
      await held;
      return taken;
    });
    return { claimed, letGo };
  }

  beforeEach(async () => {
    const database = await ownDatabase();
    clock = await DatabaseClock.of(database);
    // The time-out is of this machine's own time, which no test is about: it is never over.
    app = await TestApp.start({ clock, database, env: { SHOP_ROLES: 'web,deliver', WEBHOOK_TIMEOUT: '60' } });
    store = await app.store();
    receiver = await Receiver.start();
    await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.stop();
    await receiver.stop();
  });

  it('gives back deliveries that it claims while it is told to stop, and sends none of them', async () => {
    const { claimed, letGo } = holdClaims();
    await order();
    await claimed;
    const stopped = app.nest.get(Dispatcher).beforeApplicationShutdown();
    letGo();
    await stopped;
    await atRest(app);
    expect(receiver.received).toHaveLength(0);
    expect(await rows()).toEqual([{ status: 'pending', lease_until: null, failed_attempts: 0 }]);
  });

  it('gives back a delivery whose lease is too short for an attempt, and claims it again', async () => {
    const { claimed, letGo } = holdClaims();
    await order();
    await claimed;
    await clock.pass(LEASE_MARGIN_MS);
    const release = jest.spyOn(app.nest.get(DeliveryQueue), 'release');
    letGo();
    await receiver.waitFor(1);
    expect(release).toHaveBeenCalledTimes(1);
    await atRest(app);
    expect(receiver.received).toHaveLength(1);
  });

  it('does not pile up looks for due deliveries before a slow database', async () => {
    const queue = app.nest.get(DeliveryQueue);
    const due = jest.spyOn(app.nest.get<any>(Dispatcher), 'lookUnlessLooking');
    let looks = 0;
    const { opened, open } = gate();
    jest.spyOn(queue, 'dueStores').mockImplementation(async () => {
      looks++;
      await opened;
      return [];
    });
    await eventually('it looks', () => looks > 0);
    due.mockClear();
    await eventually('two more looks are due', () => due.mock.calls.length >= 2);
    expect(looks).toBe(1);
    open();
    await eventually('it looks again', () => looks >= 2);
  });
});

describe('the recorder of attempts', () => {
  it('keeps the results of the others when the database refuses one', async () => {
    const app = await TestApp.start({ database: await ownDatabase() });
    const store = await app.store();
    await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, 'http://127.0.0.1:9/'));
    const { productId } = await store.product();
    for (let i = 0; i < 5; i++) await store.place({ items: [{ productId, quantity: 1 }] });
    const queue = app.nest.get(DeliveryQueue);
    const claimed = await queue.claim([{ storeId: store.id, free: 5 }], 60_000);
    const clock = new SystemClock();
    const recorder = new AttemptRecorder({ queue, clock, timers: systemTimers, log: createLogger('silent') });
    // An integer column takes no such duration.
    await Promise.all(
      claimed.map((delivery, i) => recorder.record(attemptOf(delivery, clock.elapsed(), i === 2 ? 1e12 : 5))),
    );
    const settled = await app.query<{ id: string; status: string }>(
      'select id, status from webhook_deliveries where store_id = $1',
      [store.id],
    );
    const delivered = settled.filter(({ status }) => status === 'delivered').map(({ id }) => id);
    expect(delivered.sort()).toEqual(
      claimed
        .filter((_, i) => i !== 2)
        .map(({ id }) => id)
        .sort(),
    );
    expect(await app.query('select 1 from webhook_attempts where store_id = $1', [store.id])).toHaveLength(4);
    await app.stop();
  });
});

function attemptOf(delivery: ClaimedDelivery, at: number, durationMs: number): AttemptRecord {
  const outcome = {
    statusCode: 204,
    error: null,
    response: '',
    status: 'delivered',
    retryInMs: null,
    pace: null,
  } as const;
  return { id: randomUUID(), delivery, begunAt: at, endedAt: at, durationMs, ...outcome };
}
