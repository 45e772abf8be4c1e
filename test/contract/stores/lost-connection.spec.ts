import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { INTERRUPTED } from '../../../src/platform/errors.js';
import { ownDatabase } from '../../support/database/own-database.js';
import { type Answer, TestApp, type TestStore } from '../../support/test-app.js';

/**
 * What callers are answered when the connection to the database ends under their call (docs/behaviour.md
 * §16).
 */
describe('a call whose connection is lost', () => {
  let app: TestApp;
  let store: TestStore;
  let owner: pg.Client;
  /** Another connection: who is in a transaction sees the others as they were at its start. */
  let observer: pg.Client;
  let orderId: number;

  beforeAll(async () => {
    app = await TestApp.start({ database: await ownDatabase() });
    store = await app.store();
    const { productId } = await store.product();
    orderId = (await store.place({ items: [{ productId, quantity: 1 }] })).id;
    owner = new pg.Client({ connectionString: app.database.ownerUrl });
    observer = new pg.Client({ connectionString: app.database.ownerUrl });
    await Promise.all([owner.connect(), observer.connect()]);
  });
  afterAll(async () => {
    await Promise.all([owner.end(), observer.end()]);
    await app.stop();
  });

  /** Ends the connection of a call once it waits for `table`, which is locked meanwhile. */
  async function lostAt(table: string, call: () => Promise<Answer>): Promise<Answer> {
    await owner.query('begin');
    await owner.query(`lock table ${table} in access exclusive mode`);
    const answer = call();
    await endWaiting(`wait_event_type = 'Lock'`);
    await owner.query('rollback');
    return answer;
  }

  async function endWaiting(condition: string): Promise<void> {
    for (let ended = 0, i = 0; ended === 0; i++) {
      if (i === 500) throw new Error('no call of the service waits');
      await sleep(20);
      const { rowCount } = await observer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name like 'shop-%' and state = 'active'
         and ${condition}`,
      );
      ended = rowCount!;
    }
  }

  const ask = (operation: string, input: object, headers: Record<string, string> = {}) =>
    app.post(`/v1/${operation}`, input, { Authorization: `Bearer ${store.tokens.admin}`, ...headers });
  const notes = async () => (await store.data('list_order_notes', { orderId })).items as { text: string }[];

  it('is carried out again when it only reads, in a transaction or not', async () => {
    for (const [table, operation, input] of [
      ['orders', 'get_order', { orderId }],
      ['promocodes', 'list_promocodes', {}],
    ] as const) {
      const answer = await lostAt(table, () => ask(operation, input));
      expect([operation, answer.status]).toEqual([operation, 200]);
    }
  });

  it('answers that nothing was changed, if nothing was', async () => {
    const answer = await lostAt('order_notes', () => ask('add_order_note', { orderId, note: 'lost' }));
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual(INTERRUPTED.unchanged.envelope());
    expect(answer.body.error!.message).toContain('nothing was changed');
    expect(await notes()).toEqual([]);
  });

  it('is carried out again with an Idempotency-Key, and once', async () => {
    const key = { 'Idempotency-Key': 'lost-once' };
    const answer = await lostAt('order_notes', () => ask('add_order_note', { orderId, note: 'kept' }, key));
    expect(answer.status).toBe(200);
    const repeat = await ask('add_order_note', { orderId, note: 'kept' }, key);
    expect(repeat.body).toEqual(answer.body);
    expect((await notes()).map(({ text }) => text)).toEqual(['kept']);
  });

  it('answers that the result is unknown if the connection was lost at the commit', async () => {
    await owner.query(`
      create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(20); return null;
        end $$;
      create constraint trigger dawdle after insert
        on order_notes deferrable initially deferred for each row execute function dawdle()`);
    const lost = () => endWaiting(`wait_event = 'PgSleep'`);
    const [answer] = await Promise.all([ask('add_order_note', { orderId, note: 'unknown' }), lost()]);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual(INTERRUPTED.unknown.envelope());
    const keyed = ask('add_order_note', { orderId, note: 'keyed' }, { 'Idempotency-Key': 'lost-twice' });
    await lost();
    await lost();
    expect((await keyed).body).toEqual(INTERRUPTED.keyed.envelope());
    await owner.query('drop trigger dawdle on order_notes; drop function dawdle()');
  });
});
