import { envelopeOf, RawClient } from '../mcp/raw-client.js';
import { BotApiServer } from '../../support/servers/bot-api-server.js';
import { StorePage } from '../dashboard/browser.js';
import { TestClock, type TestStore } from '../../support/test-app.js';
import { useOauth } from './oauth-app.js';

const CUSTOMERS = 4;
const OTHER_CALLBACK = 'https://other.example/cb';
const MINUTE_MS = 60_000;
const DAY_S = 86_400;

/** docs/behaviour.md §15: what an app may give out in a day, as the person who let it in decided. */
describe('the daily limits of an app', () => {
  const clock = new TestClock();
  let messenger: BotApiServer;
  let store: TestStore;
  let lastBotId = 2_100_000_000;
  let zone: string;
  let midnight: string;

  const oauth = useOauth(async () => {
    messenger = await BotApiServer.start();
    return { clock, env: { MESSENGER_API_ROOT: messenger.apiRoot } };
  });
  afterAll(() => messenger.close());
  beforeEach(async () => {
    messenger.reset();
    // Codes and tokens go by the time of the machine.
    const now = Math.floor(Date.now() / 1000);
    clock.set(new Date(now * 1000));
    midnight = new Date((now + 600) * 1000).toISOString();
    // The zone in which it is ten minutes to midnight, as PostgreSQL writes it.
    const east = DAY_S - 600 - (now % DAY_S);
    const [, time] = new Date(east * 1000).toISOString().split(/[T.]/);
    zone = `<here>-${time}`;
    store = await oauth.app.store();
    await oauth.app.query('update stores set time_zone = $2 where id = $1', [store.id, zone]);
    await store.data('connect_bot', { token: `${++lastBotId}:${'A'.repeat(35)}` });
    await oauth.app.query(
      `insert into customers (store_id, id, created_at, updated_at) select $1, n, now(), now()
        from generate_series(1, $2::int) n`,
      [store.id, CUSTOMERS],
    );
    await store.data('create_product', {
      ...{ productId: 'mug', title: 'Mug', description: 'A mug', images: ['https://cdn.shop.example/m.jpg'] },
      price: 10,
    });
  });

  const letIn = async (fields: Record<string, string>): Promise<RawClient> => {
    const { access_token } = await oauth.tokens(oauth.person(store), {}, { scope: 'write', fields });
    return new RawClient(oauth.app, access_token);
  };
  const ask = async (app: RawClient, name: string, input: object) => envelopeOf(await app.call(name, input));
  const bonus = (delta: number, customerId = '1') => ({ customerId, delta, reason: 'Sorry' });
  const order = () =>
    store.place({ items: [{ productId: 'mug', quantity: 1 }] }, { id: '1', firstName: 'Ann' });
  const limits = async (app: RawClient) =>
    ((await ask(app, 'get_store_overview', {})) as any).data.token.dailyLimits;

  it('hold for bonus that is given, not for bonus that is taken, and begin anew at midnight', async () => {
    const app = await letIn({ limitBonus: '10.5' });
    expect((await ask(app, 'adjust_bonus', bonus(10))).ok).toBe(true);
    expect((await ask(app, 'adjust_bonus', bonus(-3))).ok).toBe(true);
    expect((await ask(app, 'adjust_bonus', bonus(0.6))).error).toEqual({
      code: 'forbidden',
      message:
        'The person who connected this app limits bonus for customers to 10.5 a day: 0.5 left until ' +
        `${midnight} (midnight of ${zone}), and this call needs 0.6`,
    });
    expect((await store.data('get_customer', { id: '1' })).bonusBalance).toBe(7);
    expect((await ask(app, 'adjust_bonus', bonus(0.5))).ok).toBe(true);
    expect(await limits(app)).toEqual({
      ...{ messages: null, refunds: null, bonus: { limit: 10.5, left: 0 } },
      ...{ resetsAt: midnight, timeZone: zone },
    });
    clock.advance(9 * MINUTE_MS);
    expect((await ask(app, 'adjust_bonus', bonus(1))).ok).toBe(false);
    clock.advance(MINUTE_MS);
    expect((await limits(app)).bonus).toEqual({ limit: 10.5, left: 10.5 });
    expect((await ask(app, 'adjust_bonus', bonus(10.5))).ok).toBe(true);
  });

  it('are filled in when the app asks again, and can be changed', async () => {
    await letIn({ limitMessages: '20', limitBonus: '10.5', limitRefunds: '15' });
    const person = oauth.person(store);
    const { page } = await person.arrive(oauth.request());
    for (const [name, value] of Object.entries({
      limitMessages: 20,
      limitBonus: 10.5,
      limitRefunds: '15.00',
    }))
      expect(page).toMatch(new RegExp(`name="${name}"[^>]* value="${value}"`));
    const { page: other } = await person.arrive(
      oauth.request({ client_id: oauth.other, redirect_uri: OTHER_CALLBACK }),
    );
    expect(other).toMatch(/name="limitBonus"[^>]* value=""/);
    await letIn({});
    expect((await person.arrive(oauth.request())).page).toMatch(/name="limitBonus"[^>]* value=""/);
  });

  it('hold for two calls at once', async () => {
    const app = await letIn({ limitBonus: '10' });
    const calls = Array.from({ length: CUSTOMERS }, (_, i) => bonus(6, String(i + 1)));
    const answers = await Promise.all(calls.map((input) => ask(app, 'adjust_bonus', input)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await limits(app)).bonus).toEqual({ limit: 10, left: 4 });
  });

  it('hold for refunds, without an amount by the total of the order', async () => {
    const app = await letIn({ limitRefunds: '15' });
    const [first, second] = [await order(), await order()];
    expect((await ask(app, 'refund_order', { orderId: first.id })).ok).toBe(true);
    const refused = await ask(app, 'refund_order', { orderId: second.id });
    expect(refused.error!.message).toContain('refunds to 15.00 USD a day: 5.00 USD left until');
    expect(refused.error!.message).toContain('this call needs 10.00 USD');
    expect((await store.data('get_order', { orderId: second.id })).status).toBe('PENDING');
    expect((await ask(app, 'refund_order', { orderId: second.id, amount: 500 })).ok).toBe(true);
    expect((await limits(app)).refunds).toEqual({ limit: 1500, left: 0 });
  });

  it('hold for messages: campaigns, and notices of shipped orders, also of many', async () => {
    const app = await letIn({ limitMessages: '6' });
    const campaign = { name: 'Sale', text: 'Sale!', audience: { all: true } };
    const preview = await ask(app, 'send_campaign', campaign);
    expect(preview.data).toMatchObject({ preview: true, recipientCount: CUSTOMERS });
    expect(preview.data as object).not.toHaveProperty('warnings');
    const sent = await ask(app, 'send_campaign', { ...campaign, confirm: true });
    expect(sent.data).toMatchObject({ sent: CUSTOMERS });
    expect((await limits(app)).messages).toEqual({ limit: 6, left: 2 });
    // Going on with the same campaign sends nobody anything twice.
    expect((await ask(app, 'send_campaign', { ...campaign, confirm: true })).data).toMatchObject({
      repeated: true,
    });
    const another = { ...campaign, text: 'More!' };
    expect(((await ask(app, 'send_campaign', another)).data as any).warnings).toEqual([
      expect.stringMatching(/^The person .* messages to customers to 6 a day: 2 left until .* needs 4$/),
    ]);
    expect((await ask(app, 'send_campaign', { ...another, confirm: true })).ok).toBe(false);
    const shipped = async (notify: boolean) => ({ orderId: (await order()).id, carrier: 'DHL', notify });
    expect((await ask(app, 'ship_order', await shipped(true))).ok).toBe(true);
    const items = [await shipped(true), await shipped(true), await shipped(false)];
    const many = (await ask(app, 'ship_orders', { items })).data as any;
    expect(many).toMatchObject({ updated: 2, failed: 1 });
    expect(many.items[1].error.message ?? many.items[1].error).toMatch(/limits messages to customers to 6/);
    const unshipped = await store.data('get_order', { orderId: items[1].orderId });
    expect(unshipped.status).toBe('PENDING');
    const refused = await ask(app, 'ship_order', await shipped(true));
    expect(refused.error!.code).toBe('forbidden');
    expect(messenger.callsOf('sendMessage')).toHaveLength(CUSTOMERS + 2);
  });

  it('hold for what is previewed, applied and undone', async () => {
    const app = await letIn({ limitBonus: '10' });
    const previewed = await ask(app, 'preview_change', { operation: 'adjust_bonus', input: bonus(8) });
    expect((await limits(app)).bonus.left).toBe(10);
    const beyond = await ask(app, 'preview_change', { operation: 'adjust_bonus', input: bonus(11) });
    expect(beyond.error!.code).toBe('forbidden');
    expect((await ask(app, 'adjust_bonus', bonus(8))).ok).toBe(true);
    const { previewId } = previewed.data as { previewId: string };
    expect((await ask(app, 'apply_change', { previewId })).error!.code).toBe('forbidden');
    expect((await store.data('get_customer', { id: '1' })).bonusBalance).toBe(8);
    const taken = await ask(app, 'adjust_bonus', bonus(-8));
    expect(taken.ok).toBe(true);
    const activity = (await ask(app, 'list_activity', { operation: 'adjust_bonus', take: 1 })).data as any;
    const undone = await ask(app, 'undo_change', { activityId: activity.items[0].id });
    expect(undone.error).toEqual({
      code: 'forbidden',
      message: expect.stringMatching(/^The person who .* to 10 a day: 2 left until .* needs 8$/),
    });
    await store.data('adjust_bonus', bonus(1));
    expect((await ask(app, 'adjust_bonus', bonus(-1))).ok).toBe(true);
    const last = (await ask(app, 'list_activity', { operation: 'adjust_bonus', take: 1 })).data as any;
    expect((await ask(app, 'undo_change', { activityId: last.items[0].id })).ok).toBe(true);
    expect((await limits(app)).bonus).toEqual({ limit: 10, left: 1 });
  });

  it('are none where nothing was filled in, and for tokens', async () => {
    const app = await letIn({ limitBonus: '', limitMessages: ' ' });
    expect(await limits(app)).toBeNull();
    expect(await limits(new RawClient(oauth.app, store.tokens.write))).toBeNull();
    expect((await ask(app, 'adjust_bonus', bonus(1000))).ok).toBe(true);
  });

  it('may be nothing at all, and are shown on the dashboard and in the audit', async () => {
    const app = await letIn({ limitMessages: '0', limitRefunds: '99.5' });
    expect((await ask(app, 'ship_order', { orderId: (await order()).id, notify: true })).ok).toBe(false);
    const owner = await StorePage.ofOwner(store);
    const { items } = (await owner.data('GET', 'connections')) as any;
    expect(items[0].dailyLimits).toEqual({ messages: 0, bonus: null, refunds: 9950 });
    const [{ input }] = await oauth.app.query(
      `select input from audit_log where store_id = $1 and operation = 'connection.create'`,
      [store.id],
    );
    expect(input.limits).toEqual({ messages: 0, bonus: null, refunds: 9950 });
  });

  it.each([
    ['limitMessages', '1.5', 'Messages to customers a day must be a whole number, or empty.'],
    [
      'limitBonus',
      '-1',
      'Bonus given to customers a day must be a number with at most 2 decimals, or empty.',
    ],
    ['limitRefunds', '1.005', 'Refunds a day must be a number with at most 2 decimals, or empty.'],
    ['limitRefunds', '9999999999', 'Refunds a day must be a number with at most 2 decimals, or empty.'],
  ])('are refused with the form if they are no amounts (%s: %s)', async (name, value, problem) => {
    const person = oauth.person(store);
    const { status, page, callback } = await person.decide(oauth.request(), {
      scope: 'write',
      fields: { limitMessages: '7', [name]: value },
    });
    expect([status, callback]).toEqual([400, null]);
    expect(page).toContain(problem);
    expect(page).toContain(`value="${value}"`);
  });

  it('are asked for only where an app can change something', async () => {
    const resource = `${oauth.resource}?readonly=true`;
    const reads = await oauth.person(store).arrive(oauth.request({ resource }));
    expect(reads.page).toContain('Look only');
    expect(reads.page).not.toContain('How much a day');
    const writes = await oauth.person(store).arrive(oauth.request());
    expect(writes.page).toContain('How much a day, at most?');
  });
});
