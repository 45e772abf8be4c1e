import pg from 'pg';
import {
  DeliveryQueue,
  type AttemptRecord,
  type ClaimedDelivery,
} from '../../src/webhooks/delivery/delivery-queue.js';
import type { EndpointSpeed } from '../../src/webhooks/delivery/delivery-slots.js';
import { DatabaseClock } from '../support/database/database-clock.js';
import { ownDatabase } from '../support/database/own-database.js';
import { TestApp } from '../support/test-app.js';
import { MemoryQueue } from './memory-queue.js';
import { Random } from '../../src/operator/demo/random.js';

const RUNS = 20;
const STEPS = 50;
const PACES: EndpointSpeed[] = ['unknown', 'prompt', 'slow', 'silent'];

interface Claims {
  real: ClaimedDelivery[];
  model: ClaimedDelivery[];
}

/**
 * The model of the simulation is worth what it has in common with the tables: the same operations on both,
 * and the same afterwards.
 */
describe('the queue in memory', () => {
  let app: TestApp;
  let clock: DatabaseClock;
  let owner: pg.Client;

  beforeAll(async () => {
    const database = await ownDatabase();
    clock = await DatabaseClock.of(database);
    app = await TestApp.start({ clock, database });
    owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await app.stop();
  });

  it(`does what the one in PostgreSQL does, in ${RUNS} random courses of ${STEPS} operations`, async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      await owner.query('delete from stores');
      await new Course(app.nest.get(DeliveryQueue), owner, clock, seed).run();
    }
  });
});

class Course {
  private readonly random: Random;
  private readonly model = new MemoryQueue(() => this.clock.now().getTime());
  private readonly stores: string[] = [];
  private claims: Claims[] = [];
  private ids = 0;

  constructor(
    private readonly real: DeliveryQueue,
    private readonly owner: pg.Client,
    private readonly clock: DatabaseClock,
    private readonly seed: number,
  ) {
    this.random = new Random(seed);
  }

  async run(): Promise<void> {
    for (let i = 0; i < 3; i++) await this.open(`00000000-0000-4000-8000-00000000000${i}`);
    for (let step = 0; step < STEPS; step++) {
      const operation = this.random.pick([
        ...[this.insert, this.insert, this.claim, this.claim, this.record, this.record],
        ...[this.look, this.release, this.pass, this.change],
      ]);
      await operation.call(this);
      expect({ seed: this.seed, step, ...(await this.realState()) }).toEqual({
        seed: this.seed,
        step,
        ...this.modelState(),
      });
    }
  }

  private async open(storeId: string): Promise<void> {
    const pace = this.random.pick(PACES);
    this.stores.push(storeId);
    await this.owner.query(
      `with s as (insert into stores (id, name, currency, plan, created_at, updated_at)
        values ($1, 'x', 'USD', 'pro', now(), now()))
       insert into webhook_endpoints (store_id, url, sealed_secret, pace, created_at, updated_at)
         values ($1, 'u', 's', $2, now(), now())`,
      [storeId, pace],
    );
    this.model.endpoints.set(storeId, { url: 'u', sealedSecret: 's', pace, isPaused: false });
  }

  private async insert(): Promise<void> {
    const storeId = this.random.pick(this.stores);
    const id = `00000000-0000-7000-8000-${String(this.ids++).padStart(12, '0')}`;
    const now = this.clock.now().getTime();
    const nextAttemptAt = now + this.random.integer(-5_000, 5_000);
    const body = Buffer.from(id);
    await this.owner.query(
      `with e as (insert into order_events (store_id, id, event, body, created_at)
        values ($1, $2, 'order.updated', $3, $5))
       insert into webhook_deliveries (store_id, id, next_attempt_at, created_at) values ($1, $2, $4, $5)`,
      [storeId, id, body, new Date(nextAttemptAt), new Date(now)],
    );
    const fresh = { status: 'pending', failedAttempts: 0, leaseUntil: null, leaseToken: null } as const;
    this.model.insert({ storeId, id, event: 'order.updated', body, nextAttemptAt, createdAt: now, ...fresh });
  }

  private async claim(): Promise<void> {
    const wanted = this.stores
      .filter(() => this.random.chance(0.7))
      .map((storeId) => ({ storeId, free: this.random.integer(1, 3) }));
    const real = await this.real.claim(wanted, 15_000);
    const model = this.model.claim(wanted, 15_000);
    const seen = (claimed: ClaimedDelivery[]) => sorted(claimed.map(({ leaseToken: _, ...rest }) => rest));
    expect(seen(real)).toEqual(seen(model));
    if (real.length > 0) this.claims.push({ real: sorted(real), model: sorted(model) });
  }

  /** Attempts of a claim of now or of long ago, in a batch of any size. */
  private async record(): Promise<void> {
    if (this.claims.length === 0) return;
    const claim = this.claims[this.random.integer(0, this.claims.length - 1)];
    const count = this.random.integer(1, claim.real.length);
    const [real, model]: AttemptRecord[][] = [[], []];
    for (let i = 0; i < count; i++) {
      const status = this.random.pick(['pending', 'delivered', 'failed'] as const);
      const endedAt = 1_000 + i;
      const outcome = {
        durationMs: this.random.integer(0, 10_000),
        statusCode: 200,
        error: null,
        response: '',
      };
      const retryInMs = status === 'pending' ? this.random.integer(0, 20_000) : null;
      const pace = this.random.chance(0.3) ? this.random.pick(PACES) : null;
      const id = `00000000-0000-7000-9000-${String(this.ids++).padStart(12, '0')}`;
      const shared = { id, begunAt: endedAt - 100, endedAt, status, retryInMs, pace, ...outcome };
      real.push({ ...shared, delivery: claim.real[i] });
      model.push({ ...shared, delivery: claim.model[i] });
    }
    // Written twice where the first answer is lost.
    for (let times = this.random.integer(1, 2); times > 0; times--) {
      await this.real.record(real, 2_000);
      this.model.record(model, 2_000);
    }
  }

  private async look(): Promise<void> {
    const within = this.random.pick([undefined, 2_000]);
    expect(sortedByStore(await this.real.dueStores(within))).toEqual(
      sortedByStore(this.model.dueStores(within)),
    );
    const asked = [...this.stores, '00000000-0000-4000-8000-00000000000f'];
    expect(sortedByStore(await this.real.paces(asked))).toEqual(sortedByStore(this.model.paces(asked)));
  }

  private async release(): Promise<void> {
    if (this.claims.length === 0) return;
    const [claim] = this.claims.splice(this.random.integer(0, this.claims.length - 1), 1);
    await this.real.release(claim.real);
    this.model.release(claim.model);
  }

  private async pass(): Promise<void> {
    await this.clock.pass(this.random.pick([1, 1_000, 8_000, 16_000]));
  }

  private async change(): Promise<void> {
    const storeId = this.random.pick(this.stores);
    const isPaused = this.random.chance(0.4);
    await this.owner.query('update webhook_endpoints set paused_at = $2 where store_id = $1', [
      storeId,
      isPaused ? new Date() : null,
    ]);
    this.model.endpoints.get(storeId)!.isPaused = isPaused;
  }

  private async realState(): Promise<object> {
    const { rows } = await this.owner.query(
      `select d.id, d.status, d.failed_attempts as "failedAttempts", d.next_attempt_at as "nextAttemptAt",
        d.lease_until as "leaseUntil",
         d.lease_token is not null as "isLeased", array(select json_build_object('id', a.id, 'at',
         extract(epoch from a.at) * 1000)
           from webhook_attempts a where a.store_id = d.store_id and a.delivery_id = d.id
             order by a.id) as attempts
       from webhook_deliveries d order by d.id`,
    );
    const { rows: paces } = await this.owner.query(
      'select store_id as "storeId", pace from webhook_endpoints order by 1',
    );
    return { rows, paces };
  }

  private modelState(): object {
    const time = (milliseconds: number | null) => (milliseconds === null ? null : new Date(milliseconds));
    const rows = sorted([...this.model.rows.values()]).map(
      ({ id, status, failedAttempts, nextAttemptAt, leaseUntil, leaseToken }) => ({
        id,
        status,
        failedAttempts,
        nextAttemptAt: time(nextAttemptAt),
        leaseUntil: time(leaseUntil),
        isLeased: leaseToken !== null,
        attempts: [...(this.model.attempts.get(id) ?? [])]
          .map(([attempt, { at }]) => ({ id: attempt, at }))
          .sort(byId),
      }),
    );
    return { rows, paces: sortedByStore(this.model.paces(this.stores)) };
  }
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
const sorted = <Row extends { id: string }>(rows: Row[]): Row[] => [...rows].sort(byId);
const sortedByStore = <Row extends { storeId: string }>(rows: Row[]): Row[] =>
  [...rows].sort((a, b) => (a.storeId < b.storeId ? -1 : 1));
