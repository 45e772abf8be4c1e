import pg from 'pg';
import { NewOrders } from '../../src/notices/new-orders.service.js';
import { Browser, refusal, StorePage } from '../dashboard/browser.js';
import { ownDatabase } from '../support/database/own-database.js';
import type { TestDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { PushService, type Subscriber } from '../support/servers/push-service.js';
import { TestApp, TestClock, type TestStore } from '../support/test-app.js';

describe('a browser that tells of new orders', () => {
  let database: TestDatabase;
  /** Two processes of the service; each looks for new orders by itself too. */
  let apps: TestApp[];
  let push: PushService;
  let store: TestStore;
  let owner: StorePage;
  const clock = new TestClock();

  beforeAll(async () => {
    database = await ownDatabase();
    const env = { SHOP_ROLES: 'web,deliver', BASE_URL: 'http://localhost:3000' };
    apps = [await TestApp.start({ database, env, clock }), await TestApp.start({ database, env, clock })];
    push = await PushService.start();
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await push.close();
  });
  beforeEach(async () => {
    store = await apps[0].store({ name: 'Nordwind' });
    owner = await StorePage.ofOwner(store);
    push.serverKey = (await owner.data('GET', 'notices')).publicKey;
  });
  afterEach(() => expect(push.problems).toEqual([]));

  const turnOn = async (page: StorePage, language = 'en'): Promise<Subscriber> => {
    const subscriber = push.subscribe();
    await page.data('PUT', 'notices/browser', { ...subscriber.subscription, language });
    return subscriber;
  };
  const order = async (name = 'Olena', price = '49'): Promise<number> => {
    const { productId } = await store.product({ price });
    const shopper = { id: String(Math.floor(Math.random() * 1e9)), firstName: name };
    return (await store.place({ items: [{ productId, quantity: 1 }] }, shopper)).id;
  };
  /** Does the work beside an older transaction: no event of it is read before the work is done. */
  const held = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select pg_current_xact_id()');
      return await work();
    } finally {
      await client.end();
    }
  };
  const look = () => Promise.all(apps.map((app) => app.nest.get(NewOrders).tell()));
  /** Waits until so many messages have come. */
  const told = async ({ messages }: Subscriber, count = 1) => {
    await eventually(`${count} notices have come`, async () => {
      if (messages.length < count) await look();
      return messages.length >= count;
    });
    return messages;
  };
  const subscriptions = () =>
    apps[0].query<{ quiet: boolean }>(
      'select quiet_until is not null as quiet from push_subscriptions where store_id = $1',
      [store.id],
    );
  const another = async () => new StorePage(await Browser.signedIn(apps[0], store.ownerEmail), store.id);

  it('gets number, amount and shopper of each order once, and nothing of those before', async () => {
    await order();
    clock.advance(1);
    const [here, there] = [await turnOn(owner), await turnOn(await another(), 'uk')];
    const id = await order('Olena\nKovalenko');
    const [message] = await told(here);
    expect(message).toMatchObject({
      title: `Nordwind · New order ${id}`,
      text: '$49.00 · Olena Kovalenko',
      path: `${store.id}/orders/${id}`,
      headers: { ttl: '3600', urgency: 'high', 'content-encoding': 'aes128gcm' },
    });
    expect(message.headers.topic).toMatch(/^[\w-]{32}$/);
    expect((await told(there))[0].title).toBe(`Nordwind · Нове замовлення ${id}`);
    const next = await order();
    await told(here, 2);
    expect(here.messages.map(({ title }) => title)).toEqual(
      [id, next].map((each) => `Nordwind · New order ${each}`),
    );
    const { browsers } = await owner.data('GET', 'notices');
    expect(browsers).toHaveLength(2);
    expect(browsers).toContainEqual(
      expect.objectContaining({ isThis: true, lastSentAt: expect.any(String) }),
    );
  });

  it('gets each order of a burst once, however many messages it takes', async () => {
    const here = await turnOn(owner);
    const ids = await held(async () => [await order(), await order(), await order(), await order()]);
    const told = () =>
      here.messages.flatMap(({ title, text }) =>
        [...`${title}\n${text}`.matchAll(/(?:order |^)(\d+)(?:$| ·)/gm)].map(([, id]) => Number(id)),
      );
    await eventually('all have been told', async () => {
      await look();
      return told().length >= ids.length;
    });
    // Messages may overtake one another on their way.
    const sorted = (numbers: number[]) => numbers.sort((a, b) => a - b);
    expect(sorted(told())).toEqual(sorted(ids));
  });

  it('ends when its push service says that it is gone, and rests after any other failure', async () => {
    const [gone, broken, good] = [
      await turnOn(owner),
      await turnOn(await another()),
      await turnOn(await another()),
    ];
    [gone.status, broken.status] = [410, 500];
    await order();
    await told(good);
    await eventually('the outcomes are noted', async () => {
      const rows = await subscriptions();
      return rows.length === 2 && rows.some(({ quiet }) => quiet);
    });
    await order();
    await told(good, 2);
    expect([gone.messages, broken.messages]).toMatchObject([{ length: 1 }, { length: 1 }]);
    clock.advance(6 * 60_000);
    broken.status = 201;
    await order();
    await told(broken, 2);
  });

  it('does not wait for a push service that hangs', async () => {
    const [hanging, good] = [await turnOn(owner), await turnOn(await another())];
    hanging.status = null;
    for (let count = 1; count <= 3; count++) {
      await order();
      await told(good, count);
    }
    await eventually('it is left alone', async () => (await subscriptions()).some(({ quiet }) => quiet));
  });

  it('is told nothing of a suspended store, nor of an order an hour ago', async () => {
    const here = await turnOn(owner);
    const suspend = (at: string | null) =>
      apps[0].query(
        'update stores set suspended_at = $2::timestamptz, suspended_reason = $2::text where id = $1',
        [store.id, at],
      );
    const passed = async (id: number) => {
      await eventually('the order has been passed', async () => {
        await look();
        const rows = await apps[0].query(
          `select from notice_cursors c join order_events e using (store_id)
           where e.store_id = $1 and e.order_id = $2 and (c.epoch, c.xid, c.id) >= (e.epoch, e.xid, e.id)`,
          [store.id, id],
        );
        return rows.length === 1;
      });
    };
    await suspend('2026-01-01T00:00:00Z');
    await passed(await order());
    await suspend(null);
    const now = clock.now();
    const old = await held(async () => {
      clock.set(new Date(now.getTime() - 3_700_000));
      const placed = await order();
      clock.set(now);
      return placed;
    });
    await passed(old);
    const id = await order();
    await told(here);
    expect(here.messages.map(({ title }) => title)).toEqual([`Nordwind · New order ${id}`]);
  });

  it('ends with sign-out, its session and the membership, and needs the right to read orders', async () => {
    await turnOn(owner);
    const staff = await StorePage.ofStaff(store, owner);
    const theirs = await turnOn(staff);
    expect(await subscriptions()).toHaveLength(2);

    await owner.data('PUT', `members/${staff.userId}`, { role: 'staff', groups: ['products'] });
    expect((await staff.send('GET', 'notices')).status).toBe(403);
    const other = await another();
    const rest = await turnOn(other);
    await order();
    await told(rest);
    await owner.data('PUT', `members/${staff.userId}`, { role: 'staff', groups: ['orders'] });
    await order();
    await told(rest, 2);
    await told(theirs);
    expect(theirs.messages).toHaveLength(1);

    // The same browser signs in again, then signs out; and once more, by another browser.
    await staff.browser.signIn(staff.email);
    expect((await staff.data('GET', 'notices')).browsers).toMatchObject([{ isThis: true }]);
    await staff.browser.post('auth/sign-out');
    expect(await subscriptions()).toHaveLength(2);
    await staff.browser.signIn(staff.email);
    await turnOn(staff);
    await owner.data('DELETE', `members/${staff.userId}`);
    expect(await subscriptions()).toHaveLength(2);

    const { items } = (await owner.browser.get('auth/sessions')).body.data;
    const { id } = items.find(({ current }: { current: boolean }) => !current);
    await owner.browser.send('DELETE', `auth/sessions/${id}`);
    expect(await subscriptions()).toHaveLength(1);
    await turnOn(await another());
    await owner.browser.post('auth/sessions/end-others');
    expect((await owner.data('GET', 'notices')).browsers).toMatchObject([{ isThis: true }]);

    const [{ id: mine }] = (await owner.data('GET', 'notices')).browsers;
    const stranger = await StorePage.ofStaff(store, owner);
    expect(await stranger.send('DELETE', `notices/browsers/${mine}`)).toMatchObject(
      refusal(404, 'not_found'),
    );
    await owner.data('DELETE', `notices/browsers/${mine}`);
    expect(await subscriptions()).toEqual([]);
    expect(await owner.send('POST', 'notices/test')).toMatchObject(refusal(404, 'not_found'));
  });

  it('is one of at most ten of a person, and keeps nothing that could be read', async () => {
    for (let count = 0; count < 11; count++) await turnOn(await another());
    expect(await subscriptions()).toHaveLength(10);
    const [row] = await apps[0].query('select * from push_subscriptions where store_id = $1', [store.id]);
    const [log] = await apps[0].query(
      `select string_agg(input::text, '') as inputs from audit_log
       where store_id = $1 and operation = 'notices.turn_on'`,
      [store.id],
    );
    expect(JSON.stringify([row, log])).not.toContain('127.0.0.1');
  });

  it('can be tried, and says what its push service answered', async () => {
    const here = await turnOn(owner);
    expect(await owner.data('POST', 'notices/test')).toEqual({ sent: true, error: null });
    expect(here.messages).toMatchObject([{ title: 'Nordwind · Test notice', path: `${store.id}/orders` }]);
    here.status = 500;
    expect(await owner.data('POST', 'notices/test')).toEqual({
      sent: false,
      error: 'answered with status 500',
    });
  });

  it('must have a public address and usable keys', async () => {
    const { subscription } = push.subscribe();
    const save = (changes: object) =>
      owner.send('PUT', 'notices/browser', { ...subscription, language: 'en', ...changes });
    expect(await save({ p256dh: 'AAAA' })).toMatchObject(refusal(400, 'invalid_input'));
    expect(await save({ language: 'fr' })).toMatchObject(refusal(400, 'invalid_input'));
    const strict = await TestApp.start({ database, env: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' } });
    try {
      const page = new StorePage(await Browser.signedIn(strict, store.ownerEmail), store.id);
      for (const endpoint of [
        subscription.endpoint,
        'https://127.0.0.1/x',
        'https://10.1.2.3/x',
        'https://push.internal/x',
      ]) {
        const answer = await page.send('PUT', 'notices/browser', {
          ...subscription,
          endpoint,
          language: 'en',
        });
        expect(answer).toMatchObject(refusal(400, 'invalid_input'));
        expect(answer.body.error!.message).toMatch(/^endpoint must/);
      }
    } finally {
      await strict.stop();
    }
    expect(await subscriptions()).toEqual([]);
  });
});
