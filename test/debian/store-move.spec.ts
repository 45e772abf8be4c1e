import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Scheduler } from '../../src/jobs/scheduler.service.js';
import { makeReadOnly } from '../../src/operator/backup/moving/fence.js';
import { TokenRegistry } from '../../src/platform/auth/token-registry.js';
import { JUST_MOVED, WHILE_MOVED } from '../../src/platform/errors.js';
import { DeliveryQueue } from '../../src/webhooks/delivery/delivery-queue.js';
import { goes } from '../../src/operator/backup/tables.js';
import { prepared } from '../installation/backups/backed-up.js';
import { everyRow } from '../support/database/every-table.js';
import { emptyDatabase, type TestDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { FullShop } from '../support/full-shop.js';
import { DebianPostgres } from '../support/servers/debian-postgres.js';
import { shopProcess } from '../support/servers/service-process.js';
import { ownerQuery, TestApp } from '../support/test-app.js';

const key = randomBytes(32).toString('base64');
const STAFF = 'staff@shop.example';

describe('a store that moves to another installation', () => {
  let server: DebianPostgres;
  let source: TestDatabase;
  let target: TestDatabase;
  let full: FullShop;
  let here: TestApp;
  let client: pg.Client | undefined;
  let writer: pg.Client | undefined;

  beforeAll(async () => {
    server = await DebianPostgres.start();
    source = await prepared(await emptyDatabase(), [key]);
    target = await prepared(await server.database('away'), [key]);
    full = await FullShop.create(source, [key]);
    here = await TestApp.start({ database: source, encryptionKeys: [key] });
    // After a minute, jobs would change what is compared.
    await here.nest.get(Scheduler).beforeApplicationShutdown();
    await here.store({ name: 'It stays' });
    const away = await TestApp.start({ database: target, encryptionKeys: [key] });
    const there = await away.store({ name: 'It was there' });
    await there.product();
    await away.stop();
    for (const { ownerUrl } of [source, target])
      await ownerQuery(
        `insert into users (id, email, email_key, password_hash, created_at)
         values (gen_random_uuid(), $1, $1, 'x', now())`,
        [STAFF],
        ownerUrl,
      );
    await here.query(
      `insert into store_members (store_id, user_id, role, created_at)
       select $1, id, 'staff', now() from users where email = $2`,
      [full.id, STAFF],
    );
    await here.query('update oauth_grants set client_id = (select id from oauth_clients limit 1)');
    // An attempt of one has failed, and the other was given up.
    for (const status of ['pending', 'failed'])
      await here.query(
        `with event as (
           insert into order_events (store_id, id, event, body, created_at)
           values ($1, overlay(gen_random_uuid()::text placing left(order_event_id_at(now())::text, 13)
             from 1 for 13)::uuid, 'order.updated', '{"event":"order.updated"}', now()) returning id)
         insert into webhook_deliveries (store_id, id, status, failed_attempts, next_attempt_at, created_at)
         select $1, id, $2, 1, case $2 when 'pending' then now() end, now() from event`,
        [full.id, status],
      );
  });
  afterAll(async () => {
    await Promise.all([client?.end(), writer?.end()]);
    await here?.stop();
    await full?.stop();
    await server?.stop();
  });

  const env = () => ({ DATABASE_URL: source.ownerUrl, ENCRYPTION_KEY: key });
  const move = (...args: string[]) =>
    shopProcess(env(), 'store', 'move', '--store', full.id, '--to', target.ownerUrl, ...args);
  const place = () => `${new URL(target.ownerUrl).host}/away`;
  const call = (app: TestApp, operation: string, input: object = {}) =>
    app.post(`/v1/${operation}`, input, { Authorization: `Bearer ${full.tokens.admin}` });
  const data = async (app: TestApp, operation: string, input: object = {}) => {
    const { body } = await call(app, operation, input);
    if (!body.ok) throw new Error(`${operation}: ${body.error!.message}`);
    return body.data;
  };
  const rows = (url: string, ofStore: boolean) =>
    everyRow(url, (table, hasStore) =>
      hasStore || table === 'stores'
        ? `where ${table === 'stores' ? 'id' : 'store_id'} ${ofStore ? '=' : '<>'} '${full.id}'`
        : 'where false',
    );

  it('answers reads and refuses changes meanwhile, once those under way have ended', async () => {
    client = new pg.Client({ connectionString: source.systemUrl });
    writer = new pg.Client({ connectionString: source.storeUrl });
    await Promise.all([client.connect(), writer.connect()]);
    await writer.query('begin');
    expect((await writer.query('select enter_store($1) as "readOnly"', [full.id])).rows).toEqual([
      { readOnly: false },
    ]);
    let isFenced = false;
    const fenced = makeReadOnly(client, full.id).then(() => (isFenced = true));
    await eventually('changes are refused', async () => {
      const answer = await call(here, 'create_brand', { name: 'Clay', slug: `clay-${Date.now()}` });
      return answer.status === 503;
    });
    expect(isFenced).toBe(false);
    await writer.query(`update store_settings set title = 'Under way' where store_id = $1`, [full.id]);
    await writer.query('commit');
    await fenced;
    const refused = await call(here, 'set_order_status', { orderId: full.order.id, status: 'SHIPPED' });
    expect(refused).toMatchObject({
      status: 503,
      body: { ok: false, error: { code: 'internal_error', message: WHILE_MOVED } },
    });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await call(here, 'get_order', { orderId: full.order.id })).status).toBe(200);
    expect((await call(here, 'list_products')).status).toBe(200);
    expect(await here.nest.get(DeliveryQueue).dueStores()).toEqual([]);
    await client.query('update stores set read_only_since = null where id = $1', [full.id]);
    expect((await call(here, 'create_brand', { name: 'Loam', slug: 'loam' })).status).toBe(200);
  });

  it('is opened again if the place that it moves to is lost, unless it may be open there', async () => {
    const gone = ['store', 'move', '--store', full.id, '--to', 'postgres://u:p@127.0.0.1:1/gone', '--undo'];
    const onItsWay = (suspendedReason: string | null) =>
      here.query(
        `update stores set moved_to = '127.0.0.1:1/gone', read_only_since = now(), suspended_reason = $2,
           suspended_at = case when $2::text is not null then now() end where id = $1`,
        [full.id, suspendedReason],
      );
    await onItsWay('moved to 127.0.0.1:1/gone');
    const lost = {
      code: 1,
      output: { error: { message: expect.stringMatching(/^to: the database cannot be/) } },
    };
    expect(await shopProcess(env(), ...gone)).toMatchObject(lost);
    await onItsWay(null);
    const { output } = await shopProcess(env(), 'doctor');
    expect(output.checks).toContainEqual(
      expect.objectContaining({
        check: 'moves',
        found: `The store ${full.id} is on its way to 127.0.0.1:1/gone, and only answers reads.`,
      }),
    );
    expect(await shopProcess(env(), ...gone)).toMatchObject({
      code: 0,
      output: { id: full.id, removed: null },
    });
    expect(await here.query('select read_only_since, moved_to from stores where id = $1', [full.id])).toEqual(
      [{ read_only_since: null, moved_to: null }],
    );
    expect(await shopProcess(env(), ...gone)).toMatchObject(lost);
  });

  it('goes with all that it has, and its feeds, and is left suspended', async () => {
    let cursor: string | undefined;
    await eventually('every event is in the feed', async () => {
      const { items, nextCursor } = await data(here, 'list_events', { take: 100 });
      cursor = nextCursor;
      return items.filter(({ event }: { event: string }) => event === 'order.updated').length === 2;
    });
    const changes = await data(here, 'list_changes', { take: 100 });
    const before = await rows(source.ownerUrl, true);
    const [othersHere, othersThere] = [
      await rows(source.ownerUrl, false),
      await rows(target.ownerUrl, false),
    ];
    const moved = await move('--base-url', 'https://away.example');
    expect(moved).toMatchObject({
      code: 0,
      output: {
        id: full.id,
        name: 'Full shop',
        movedTo: place(),
        readOnlyMs: expect.any(Number),
        invitations: [
          { email: STAFF, role: 'staff', invitation: expect.stringMatching(/^https:\/\/away\.example\//) },
        ],
      },
    });
    const after = await rows(target.ownerUrl, true);
    const WHAT_THE_MOVE_WRITES = ['stores', 'store_members', 'invitations', 'audit_log'];
    for (const [table, found] of Object.entries(before)) {
      if (WHAT_THE_MOVE_WRITES.includes(table)) continue;
      const gone = goes(table, 'move') ? found : [];
      expect({ table, rows: after[table] }).toEqual({ table, rows: gone });
      expect(moved.output.counts[table] ?? 0).toBe(gone.length);
    }
    expect(after.store_members).toHaveLength(before.store_members.length - 1);
    expect(await rows(source.ownerUrl, false)).toEqual(othersHere);
    expect(await rows(target.ownerUrl, false)).toEqual(othersThere);
    expect(await ownerQuery('select count(*)::int as n from oauth_clients', [], target.ownerUrl)).toEqual([
      { n: 1 },
    ]);

    // A call that a balancer still sends here is to come again, for a moment.
    const read = () => call(here, 'get_order', { orderId: full.order.id });
    expect(await read()).toMatchObject({
      status: 503,
      body: { error: { code: 'internal_error', message: JUST_MOVED } },
    });
    await here.query(`update stores set suspended_at = suspended_at - interval '1 minute' where id = $1`, [
      full.id,
    ]);
    await here.nest.get(TokenRegistry).forget(full.id);
    expect(await read()).toMatchObject({
      status: 403,
      body: { error: { message: 'This store is suspended: moved to another installation' } },
    });
    const away = await TestApp.start({ database: target, encryptionKeys: [key] });
    try {
      expect((await away.nest.get(DeliveryQueue).dueStores()).map(({ storeId }) => storeId)).toEqual([
        full.id,
      ]);
      expect((await data(away, 'list_events', { cursor })).items).toEqual([]);
      await data(away, 'set_order_status', { orderId: full.order.id, status: 'DELIVERED' });
      const { productId } = await data(away, 'create_product', {
        productId: 'after',
        title: 'After the move',
        description: '',
        images: ['https://images.example/2.jpg'],
        price: 2,
      });
      await eventually('what came after the move is in both feeds', async () => {
        const events = await data(away, 'list_events', { cursor });
        const changed = await data(away, 'list_changes', { cursor: changes.nextCursor });
        return (
          events.items.length === 1 &&
          changed.items.some((change: { productId: string }) => change.productId === productId)
        );
      });
    } finally {
      await away.stop();
    }
    await full.mustWork(target, [key]);

    const log = (url: string) =>
      ownerQuery<{ details: object }>(
        `select details from operator_log
         where command = 'store move' and not details ? 'undone' order by id`,
        [],
        url,
      );
    expect(await log(source.ownerUrl)).toMatchObject([{ details: { movedTo: place() } }]);
    expect(await log(target.ownerUrl)).toMatchObject([
      { details: { movedFrom: expect.stringContaining(new URL(source.ownerUrl).pathname) } },
    ]);
    const { password } = new URL(target.ownerUrl);
    expect(password).not.toBe('');
    expect(moved.stdout + moved.stderr + JSON.stringify(await log(source.ownerUrl))).not.toContain(password);

    const message = (text: string) => ({ code: 1, output: { error: { message: text } } });
    expect(await move()).toMatchObject(message(`the store was moved to ${place()} already`));
    expect(await move('--undo')).toMatchObject(
      message(`the store is open at ${place()}, and what is changed there would be lost: move it back`),
    );
  });

  it('takes no command where it was, and nothing of it is in the way of others', async () => {
    const refusal = {
      code: 1,
      output: {
        error: { code: 'invalid_input', message: `store: it was moved to ${place()}, so run this there` },
      },
    };
    for (const command of [
      ['store', 'resume'],
      ['store', 'suspend', '--reason', 'x'],
      ['token', 'create', '--name', 'x', '--scope', 'read'],
    ])
      expect(await shopProcess(env(), ...command, '--store', full.id)).toMatchObject(refusal);
    expect(await shopProcess(env(), 'user', 'password', '--email', STAFF)).toMatchObject({ code: 0 });
    const { output } = await shopProcess(env(), 'doctor');
    const told = (output.checks as { found: string }[]).filter(({ found }) => found.includes(full.id));
    expect(told).toEqual([]);
  });

  it('is refused where it, its bot or another key is', async () => {
    const to = (url: string) => shopProcess(env(), 'store', 'move', '--store', full.id, '--to', url);
    expect(await to(source.ownerUrl)).toMatchObject({
      code: 1,
      output: { error: { message: 'to: it is the database of this installation' } },
    });
    const other = await prepared(await server.database('other'), [randomBytes(32).toString('base64')]);
    expect(await to(other.ownerUrl)).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringMatching(/^to: ENCRYPTION_KEY: not the key/) } },
    });
    const back = await shopProcess(
      { DATABASE_URL: target.ownerUrl, ENCRYPTION_KEY: key },
      ...['store', 'move', '--store', full.id, '--to', source.ownerUrl],
    );
    expect(back).toMatchObject({
      code: 1,
      output: {
        error: { message: expect.stringMatching(/^the store was moved away from .*shop store delete/) },
      },
    });
  });
});
