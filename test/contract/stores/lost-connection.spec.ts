import pg from 'pg';
import { WHILE_AWAY } from '../../../src/platform/errors.js';
import { ownDatabase } from '../../support/database/own-database.js';
import { eventually } from '../../support/eventually.js';
import { BotApiServer } from '../../support/servers/bot-api-server.js';
import { type Silenceable, silenceable } from '../../support/servers/silenceable.js';
import { type Answer, TestApp, type TestStore, useShop } from '../../support/test-app.js';
import { Browser } from '../../doors/dashboard/browser.js';
import { MiniApp } from '../../doors/storefront/mini-app.js';

const away = (message: string) => ({
  status: 503,
  body: { ok: false, error: { code: 'internal_error', message } },
});

/**
 * What callers are answered when the connection to the database ends under their call (docs/behaviour.md
 * §16).
 */
describe('a call whose connection is lost', () => {
  let store: TestStore;
  let owner: pg.Client;
  /** Another connection: who is in a transaction sees the others as they were at its start. */
  let observer: pg.Client;
  let orderId: number;

  const app = useShop(async () => ({ database: await ownDatabase() }));
  beforeAll(async () => {
    store = await app.store();
    const { productId } = await store.product();
    orderId = (await store.place({ items: [{ productId, quantity: 1 }] })).id;
    owner = new pg.Client({ connectionString: app.database.ownerUrl });
    observer = new pg.Client({ connectionString: app.database.ownerUrl });
    await Promise.all([owner.connect(), observer.connect()]);
  });
  afterAll(async () => {
    await Promise.all([owner.end(), observer.end()]);
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

  /** Those that were ended are seen for a moment more. */
  const dying = new Set<number>();

  async function endWaiting(condition: string): Promise<void> {
    await eventually('a call of the service waits', async () => {
      const { rows } = await observer.query<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name like 'shop-%' and state = 'active'
         and pid <> all($1) and ${condition}`,
        [[...dying]],
      );
      for (const { pid } of rows) dying.add(pid);
      return rows.length > 0;
    });
  }

  /**
   * Ends the call's transaction by a deadlock: the call holds `held` and waits for the audit log, whose lock
   * has to wait for `held`. The database looks once, a second after a wait has begun, and ends the one for
   * whom it looks. So the call is kept back until the other waits already, and completes the circle.
   */
  async function deadlockedAt(held: string, call: () => Promise<Answer>): Promise<Answer> {
    await owner.query(`
      create function keep_back() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock_shared(1); return new; end $$;
      create trigger keep_back before insert or update on ${held} for each row execute function keep_back()`);
    await observer.query('select pg_advisory_lock(1)');
    await owner.query('begin');
    await owner.query(`set local deadlock_timeout = '1min'`);
    await owner.query('lock table audit_log in access exclusive mode');
    const answer = call();
    await eventually('the call is kept back', () => waits(`mode = 'ShareLock' and locktype = 'advisory'`));
    const locking = owner.query(`lock table ${held} in access exclusive mode`);
    await eventually('the other waits', () => waits(`relation = '${held}'::regclass`));
    await observer.query('select pg_advisory_unlock(1)');
    await locking;
    await owner.query('rollback');
    const answered = await answer;
    await owner.query(`drop trigger keep_back on ${held}; drop function keep_back()`);
    return answered;
  }

  async function waits(lock: string): Promise<boolean> {
    const { rowCount } = await observer.query(
      `select from pg_locks where not granted and ${lock}
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return rowCount! > 0;
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
    expect(answer).toMatchObject(away(WHILE_AWAY.unchanged));
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.body.error!.message).toContain('nothing was changed');
    expect(await notes()).toEqual([]);
  });

  it('answers a tool with the same envelope and header', async () => {
    const { headers, body } = await lostAt('order_notes', () =>
      app.post(
        '/mcp',
        {
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'add_order_note', arguments: { orderId, note: 'lost' } },
        },
        { Authorization: `Bearer ${store.tokens.admin}` },
      ),
    );
    const { result } = body as unknown as { result: object };
    expect(result).toMatchObject({
      isError: true,
      structuredContent: away(WHILE_AWAY.unchanged).body,
    });
    expect(headers.get('retry-after')).toBe('2');
  });

  it('is carried out again with an Idempotency-Key, and once', async () => {
    const key = { 'Idempotency-Key': 'lost-once' };
    const answer = await lostAt('order_notes', () => ask('add_order_note', { orderId, note: 'kept' }, key));
    expect(answer.status).toBe(200);
    const repeat = await ask('add_order_note', { orderId, note: 'kept' }, key);
    expect(repeat.body).toEqual(answer.body);
    expect((await notes()).map(({ text }) => text)).toEqual(['kept']);
  });

  it('is carried out again, and once, after a deadlock', async () => {
    const answer = await deadlockedAt('order_notes', () =>
      ask('add_order_note', { orderId, note: 'after a deadlock' }),
    );
    expect(answer.status).toBe(200);
    expect((await notes()).map(({ text }) => text)).toContain('after a deadlock');
    expect(await notes()).toHaveLength(2);
  });

  it('has each of its parts carried out again after a deadlock', async () => {
    const answer = await deadlockedAt('orders', () =>
      ask('set_order_statuses', { orderIds: [orderId], status: 'PROCESSING' }),
    );
    expect(answer.body.data).toMatchObject({ updated: 1, failed: 0 });
  });

  it('answers that nothing was changed if the disk of the database is full', async () => {
    await owner.query(`
      create function fill() returns trigger language plpgsql as $$ begin
        raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger fill before insert on order_notes for each row execute function fill()`);
    const answer = await ask('add_order_note', { orderId, note: 'no room' });
    await owner.query('drop trigger fill on order_notes; drop function fill()');
    expect(answer).toMatchObject(away(WHILE_AWAY.unchanged));
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  it('answers that the result is unknown if the connection was lost at the commit', async () => {
    await owner.query(`
      create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(20); return null;
        end $$;
      create constraint trigger dawdle after insert
        on order_notes deferrable initially deferred for each row execute function dawdle()`);
    const lost = () => endWaiting(`wait_event = 'PgSleep'`);
    const [answer] = await Promise.all([ask('add_order_note', { orderId, note: 'unknown' }), lost()]);
    expect(answer).toMatchObject(away(WHILE_AWAY.unknown));
    const keyed = ask('add_order_note', { orderId, note: 'keyed' }, { 'Idempotency-Key': 'lost-twice' });
    await lost();
    await lost();
    expect(await keyed).toMatchObject(away(WHILE_AWAY.keyed));
    await owner.query('drop trigger dawdle on order_notes; drop function dawdle()');
  });
});

/** docs/behaviour.md §1.3 */
describe('while the database is away', () => {
  let app: TestApp;
  let bots: BotApiServer;
  let store: TestStore;
  let person: Browser;
  let ways: Silenceable[];

  beforeAll(async () => {
    const database = await ownDatabase();
    bots = await BotApiServer.start();
    ways = await Promise.all([silenceable(database.storeUrl), silenceable(database.systemUrl)]);
    const [{ url: storeUrl }, { url: systemUrl }] = ways;
    app = await TestApp.start({
      database: { ...database, storeUrl, systemUrl },
      env: { MESSENGER_API_ROOT: bots.apiRoot },
    });
    store = await app.store();
    await store.data('connect_bot', { token: store.botToken });
    person = await Browser.signedIn(app, store.ownerEmail);
    // These have been seen, so the calls below fail inside; the others fail where the caller is looked for.
    await store.data('list_promocodes', {}, { scope: 'write' });
    await new MiniApp(store).get('me');
    for (const way of ways) way.cut();
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all(ways.map((way) => way.close()));
    await bots.close();
  });

  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const brand = { name: 'Nordwind', slug: 'nordwind' };
  const tool = (token: string) =>
    app.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_promocodes', arguments: {} } },
      bearer(token),
    );

  it.each<[string, () => Promise<Answer>]>([
    ['a read', () => store.call('list_promocodes', {}, { scope: 'write' })],
    ['a change', () => store.call('create_brand', brand, { scope: 'write' })],
    [
      'a change with a key',
      () => store.call('create_brand', brand, { scope: 'write', headers: { 'Idempotency-Key': 'once' } }),
    ],
    [
      'a call of a token that has to be looked up',
      () => store.call('list_promocodes', {}, { scope: 'read' }),
    ],
    ['a tool call of a token that has to be looked up', () => tool(store.tokens.read)],
    ['the dashboard', () => person.get(`stores/${store.id}/audit`)],
    ['a sign-in', () => new Browser(app).signIn(store.ownerEmail)],
    ['the storefront', () => new MiniApp(store).get('me')],
    ['the storefront, to a new shopper', () => new MiniApp(store, { id: '77' }).get('orders')],
    ['an order', () => new MiniApp(store).order({ items: [{ productId: 'tea', quantity: 1 }] }, 'first')],
  ])('%s is answered with 503 and Retry-After', async (_what, call) => {
    const { status, headers, body } = await call();
    expect([status, headers.get('retry-after'), body.error?.code]).toEqual([503, '2', 'internal_error']);
    expect(body.error!.message).toContain('cannot use its database');
  });

  it('an app that asks for a token gets an error of OAuth', async () => {
    const { status, headers, body } = await app.post(
      '/oauth/token',
      'grant_type=authorization_code&code=x&client_id=dcr_x&redirect_uri=https://app.example/back&code_verifier=x',
      { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    );
    expect([status, headers.get('retry-after'), body.error]).toEqual([503, '2', 'temporarily_unavailable']);
  });
});
