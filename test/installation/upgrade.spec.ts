import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { verify } from '../../src/webhooks/delivery/signature.js';
import { emptyDatabase, type TestDatabase } from '../support/own-database.js';
import { OLD_SHOP, restoreOldVersion } from '../support/old-version.js';
import { BotApiServer } from '../support/bot-api-server.js';
import { hashToken } from '../../src/platform/auth/token.js';
import { Browser, StorePage } from '../dashboard/browser.js';
import { Receiver } from '../support/receiver.js';
import { ownerQuery, TestApp } from '../support/test-app.js';
import { SecretBox } from '../../src/platform/crypto/secret-box.js';

const PENDING = 30;
/** Deliveries as version 1.0 wrote them, with ids that tell their time. */
const OLD_DELIVERIES = `
  insert into webhook_deliveries (store_id, id, order_id, event, body, next_attempt_at, created_at)
  select $1, id, $2, 'order.updated', convert_to('{"id":"' || id || '","n":' || n || ' }', 'UTF8'), now(), now()
  from (select n, (lpad(to_hex((extract(epoch from now()) * 1000 - n)::bigint), 12, '0') || '7000800000000000000' || n % 10)::uuid as id
    from generate_series(1, ${PENDING}) n) d`;

/** An installation of version 1.0, restored from a superuser's dump under another name, without its roles. */
describe('a database that version 1.0 created', () => {
  let database: TestDatabase;
  let botApi: BotApiServer;
  let receiver: Receiver;
  let app: TestApp;
  let deliveries: any[];

  beforeAll(async () => {
    const ownerUrl = await emptyDatabase();
    expect(await restoreOldVersion(ownerUrl)).toContainEqual('role "gone_store" does not exist');
    await ownerQuery(OLD_DELIVERIES, [OLD_SHOP.storeId, OLD_SHOP.orderId], ownerUrl);
    deliveries = await ownerQuery('select * from webhook_deliveries order by id', [], ownerUrl);
    await expect(
      prepareDatabase(ownerUrl, [Buffer.alloc(32, 1).toString('base64')], MIGRATIONS),
    ).rejects.toThrow(/ENCRYPTION_KEY/);
    expect(await ownerQuery(`select to_regclass('encryption_keys') as name`, [], ownerUrl)).toEqual([
      { name: null },
    ]);
    const prepared = await prepareDatabase(ownerUrl, [OLD_SHOP.key], MIGRATIONS);
    expect(prepared).toMatchObject({ applied: expect.arrayContaining(['Installation1763700000140']) });
    expect(prepared.repaired).toContainEqual(expect.stringMatching(/create policy "own_store" on "orders"/));
    expect((await prepareDatabase(ownerUrl, [OLD_SHOP.key], MIGRATIONS)).repaired).toEqual([]);
    database = { ownerUrl, storeUrl: prepared.store, systemUrl: prepared.system };
    [botApi, receiver] = [await BotApiServer.start(), await Receiver.start()];
    await ownerQuery('update webhook_endpoints set url = $1', [receiver.url], ownerUrl);
    const env = { MESSENGER_API_ROOT: botApi.apiRoot, SHOP_ROLES: 'web,deliver' };
    app = await TestApp.start({ database, env, encryptionKeys: [OLD_SHOP.key] });
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
    await botApi.close();
  });

  const call = async (operation: string, input: object = {}) => {
    const { body } = await app.post(`/v1/${operation}`, input, {
      Authorization: `Bearer ${OLD_SHOP.tokens.admin}`,
    });
    if (!body.ok) throw new Error(`${operation}: ${body.error!.message}`);
    return body.data;
  };

  it('delivers what was pending, byte for byte, and has every delivery in the feed', async () => {
    const pending = deliveries.filter(({ status }) => status === 'pending');
    expect(pending).toHaveLength(PENDING);
    const sent = await receiver.waitFor(PENDING, 20_000);
    const bodies = sent.map(({ headers, body }) => [
      headers['x-shop-delivery'],
      headers['x-shop-event'],
      body.toString('utf8'),
    ]);
    expect(bodies.sort()).toEqual(pending.map(({ id, event, body }) => [id, event, body.toString('utf8')]));
    const events = await ownerQuery(
      'select id, order_id, event, body, created_at from order_events order by id',
      [],
      database.ownerUrl,
    );
    expect(events).toEqual(
      deliveries.map(({ id, order_id, event, body, created_at }) => ({
        id,
        order_id,
        event,
        body,
        created_at,
      })),
    );
    const feed: string[] = [];
    for (let cursor: string | undefined, isEnd = false; !isEnd;) {
      const page = await call('list_events', { take: 100, ...(cursor ? { cursor } : {}) });
      feed.push(...page.items.map(({ id }: { id: string }) => id));
      [cursor, isEnd] = [page.nextCursor, page.items.length === 0];
    }
    // Beside them what the dump has, as long as that is not too old.
    expect(feed.filter((id) => pending.some((delivery) => delivery.id === id))).toEqual(
      pending.map(({ id }) => id),
    );
  });

  it('answers every read, only with data of the own store', async () => {
    const reads = [
      'list_orders',
      'list_products',
      'list_brands',
      'list_categories',
      'list_contests',
      'list_promocodes',
    ];
    const more = [
      'list_customers',
      'list_payment_providers',
      'get_checkout',
      'get_monetization',
      'get_settings',
      'get_bot',
    ];
    const rest = [
      'get_welcome_message',
      'get_invoice_field_config',
      'get_analytics',
      'get_billing_status',
      'list_invoices',
    ];
    for (const operation of [...reads, ...more, ...rest]) expect(await call(operation)).toBeTruthy();
    expect(await call('list_customers', { search: 'kovalenko' })).toMatchObject({
      items: [{ id: '9007199254740993' }],
    });
    expect(await call('get_order', { orderId: OLD_SHOP.orderId })).toMatchObject({
      items: [{ productId: OLD_SHOP.productId }],
    });
  });

  it('changes an order and delivers that, signed with the secret it had', async () => {
    await call('set_order_status', { orderId: OLD_SHOP.orderId, status: 'PROCESSING' });
    const request = (await receiver.waitFor(PENDING + 1, 10_000))[PENDING];
    const [{ sealed }] = await ownerQuery<{ sealed: string }>(
      'select sealed_secret as sealed from webhook_endpoints',
      [],
      database.ownerUrl,
    );
    const secret = new SecretBox([OLD_SHOP.key]).open(sealed, `webhook:${OLD_SHOP.storeId}`);
    expect(request.json).toMatchObject({ event: 'order.updated', data: { status: 'PROCESSING' } });
    expect(verify(secret, request.body, String(request.headers['x-shop-signature']))).toBe(true);
  });

  it('can use the stored secrets of bot and provider', async () => {
    await call('ship_order', { orderId: OLD_SHOP.orderId, carrier: 'DHL', notify: true });
    expect(botApi.calls.map(({ token }) => token)).toContain(OLD_SHOP.botToken);
    const [{ id }] = (await call('list_payment_providers')).items;
    expect(await call('update_payment_provider', { id, isActive: false })).toMatchObject({
      hasToken: true,
      isActive: false,
    });
  });

  it('lets its owner sign in, who is still the owner, and keeps the existing sessions', async () => {
    const browser = new Browser(app);
    expect((await browser.signIn(OLD_SHOP.email, OLD_SHOP.password)).status).toBe(200);
    const owner = new StorePage(browser, OLD_SHOP.storeId);
    expect((await owner.data('GET', 'members')).items).toMatchObject([
      { email: OLD_SHOP.email, role: 'owner' },
    ]);
    const token = 'o'.repeat(43);
    // As version 1.0 writes it, should an instance of it still run.
    await ownerQuery(
      'insert into sessions (token_hash, user_id, created_at, last_seen_at) select $2, id, now(), now() from users where email = $1',
      [OLD_SHOP.email, hashToken(token)],
      database.ownerUrl,
    );
    const older = new Browser(app);
    older.cookie = `shop_session=${token}`;
    const { items } = (await older.get('auth/sessions')).body.data;
    expect(items).toContainEqual(expect.objectContaining({ browser: null, address: null, current: true }));
  });
});
