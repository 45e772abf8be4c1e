import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { JOBS } from '../../../src/jobs/job-list.js';
import { Scheduler } from '../../../src/jobs/scheduler.service.js';
import { Caps, CAPS } from '../../../src/platform/caps/caps.js';
import { COMMANDS } from '../../../src/operator/cli/commands/order.commands.js';
import { preparedDatabase } from '../../support/database/own-database.js';
import { eventually } from '../../support/eventually.js';
import { StorePage } from '../dashboard/browser.js';
import { TestApp, TestClock, type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { BotWebhook, MiniApp } from './mini-app.js';

const HOUR_MS = 3_600_000;
const SHOPPER = '1001';
const job = JOBS.find(({ name }) => name === 'unpaid_orders')!;

describe('orders that are not paid in the messenger', () => {
  const clock = new TestClock();
  let store: TestStore;
  let bot: BotWebhook;
  let product: { id: string; productId: string };

  // The job looks at all stores, so it has a database of its own.
  const { app, messenger } = useShopWithMessenger(async () => ({
    database: await preparedDatabase(),
    clock,
  }));
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    bot = await BotWebhook.connect(store, messenger);
    product = await store.product({ price: '25', itemAmount: 10 });
    await store.data('create_payment_provider', {
      providerName: 'card',
      providerToken: '284685063:TEST:NjQ3YzhkZWU',
      isTestMode: false,
      isActive: true,
      supportedCurrencies: ['USD'],
    });
    await store.data('create_payment_provider', {
      providerName: 'wallet',
      providerToken: '',
      isTestMode: false,
      isActive: true,
      supportedCurrencies: ['USD'],
      metadata: { kind: 'agreement' },
    });
    await store.data('update_checkout', { mode: 'native_payments' });
  });

  const order = async (values: object = {}) => {
    const shopper = new MiniApp(store, { id: SHOPPER, first_name: 'Ann' }, { at: clock.now() });
    const items = [{ productId: product.productId, quantity: 2 }];
    const { body } = await shopper.order({ paymentMethod: 'card', items, ...values });
    return body.data;
  };
  const place = async (values: object = {}) => {
    const file = `${await mkdtemp(`${tmpdir()}/order-`)}/order.json`;
    const items = [{ productId: product.productId, quantity: 1 }];
    await writeFile(file, JSON.stringify({ messengerUserId: '7', items, paymentMethod: 'card', ...values }));
    const runtime = undefined as never;
    return (await COMMANDS['order place'].run({
      app: app.nest,
      options: { store: store.id, file },
      runtime,
    })) as any;
  };
  const later = async (hours: number, scheduler = app.nest.get(Scheduler)) => {
    clock.advance(hours * HOUR_MS);
    await scheduler.run(job);
  };
  const statusOf = async (orderId: number) => (await store.data('get_order', { orderId })).status;
  const stock = async () => (await store.data('get_product', { id: product.id })).itemAmount;

  it('are cancelled once after 24 hours by the rules of a status change, by the system', async () => {
    const placed = await order();
    const byOperator = await place();
    expect(byOperator).toMatchObject({ status: 'PENDING', invoiceUrl: expect.stringMatching(/^https:/) });
    expect(messenger.callsOf('createInvoiceLink').map(({ body }) => body.payload)).toEqual([
      `${placed.id}:5000`,
      `${byOperator.id}:2500`,
    ]);
    await later(23.9);
    expect([await statusOf(placed.id), await stock()]).toEqual(['PENDING', 7]);
    await later(0.2);
    expect([await statusOf(placed.id), await statusOf(byOperator.id)]).toEqual(['CANCELLED', 'CANCELLED']);
    expect(await stock()).toBe(10);
    const { entries } = await store.data('get_order_timeline', { orderId: placed.id });
    expect(entries.find(({ kind }: any) => kind === 'status')).toMatchObject({
      by: 'system',
      changes: { status: ['PENDING', 'CANCELLED'] },
    });
    const events = await app.query<any>(
      `select event from order_events where store_id = $1 and order_id = $2 order by id`,
      [store.id, placed.id],
    );
    expect(events.map(({ event }) => event)).toEqual(['order.created', 'order.updated']);
    await store.data('set_order_status', { orderId: placed.id, status: 'PENDING' });
    await later(48);
    expect(await statusOf(placed.id)).toBe('PENDING');
  });

  it('are never cancelled once money of the shopper is kept, whether or not it fits', async () => {
    const placed = await order();
    const other = await order();
    await bot.message(SHOPPER, {
      successful_payment: {
        ...{ currency: 'USD', total_amount: 4000, invoice_payload: `${placed.id}:5000` },
        telegram_payment_charge_id: 'charge-1',
      },
    });
    await later(25);
    expect([await statusOf(placed.id), await statusOf(other.id)]).toEqual(['PENDING', 'CANCELLED']);
  });

  it('keep their items while the shopper is paying', async () => {
    const placed = await order();
    const owner = await StorePage.ofOwner(store);
    const change = (quantity: number) =>
      owner.send('PUT', `orders/${placed.id}/items`, { items: [{ productId: product.productId, quantity }] });
    const terms = { currency: 'USD', total_amount: 5000, invoice_payload: `${placed.id}:5000` };
    await bot.send({
      update_id: 1,
      pre_checkout_query: { id: 'q', from: { id: Number(SHOPPER) }, ...terms },
    });
    const until = new Date(clock.now().getTime() + 15 * 60_000).toISOString();
    expect(await change(3)).toMatchObject({
      status: 400,
      body: { error: { message: `items cannot be changed until ${until}: the shopper is paying` } },
    });
    expect(await store.data('get_order', { orderId: placed.id })).toEqual(
      expect.objectContaining({ totalPrice: 5000, updatedAt: placed.updatedAt }),
    );
    await bot.message(SHOPPER, {
      successful_payment: { ...terms, telegram_payment_charge_id: 'charge-1' },
    });
    expect(await change(3)).toMatchObject({ status: 200 });
    const another = await order();
    const invoice_payload = `${another.id}:5000`;
    await bot.send({
      update_id: 2,
      pre_checkout_query: { id: 'q', from: { id: Number(SHOPPER) }, ...terms, invoice_payload },
    });
    await later(0.3);
    const items = [{ productId: product.productId, quantity: 3 }];
    expect(await owner.data('PUT', `orders/${another.id}/items`, { items })).toMatchObject({
      totalPrice: 7500,
    });
  });

  it('are left alone once the shop has taken them up, even if set back to PENDING', async () => {
    const placed = await order();
    await store.data('set_order_status', { orderId: placed.id, status: 'PROCESSING' });
    await store.data('set_order_status', { orderId: placed.id, status: 'PENDING' });
    await later(25);
    expect(await statusOf(placed.id)).toBe('PENDING');
    const waiting = await app.query('select from awaited_payments where store_id = $1', [store.id]);
    expect(waiting).toEqual([]);
  });

  it('are only those with an invoice: others that are PENDING stay', async () => {
    const byWallet = await order({ paymentMethod: 'wallet' });
    await store.data('update_checkout', { mode: 'manual' });
    const inCash = await order({ paymentMethod: 'cash' });
    await later(25);
    expect([await statusOf(byWallet.id), await statusOf(inCash.id)]).toEqual(['PENDING', 'PENDING']);
  });

  it('are taken up when a change of items leaves nothing to pay, as if placed so', async () => {
    await store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      referral: { referralJoinBonus: 0, referrerOrderBonus: 3, referrerBonusFrequency: 'once' },
    });
    const at = clock.now();
    await new MiniApp(store, { id: '55' }, { at }).data('GET', 'me');
    await new MiniApp(store, { id: SHOPPER }, { at, startParam: 'ref_55' }).data('GET', 'me');
    await store.data('adjust_bonus', { customerId: SHOPPER, delta: 25 });
    const placed = await order({ bonusToSpend: 25 });
    expect(placed).toMatchObject({ status: 'PENDING', totalPrice: 2500 });
    const owner = await StorePage.ofOwner(store);
    const items = (quantity: number) => ({ items: [{ productId: product.productId, quantity }] });
    const three = await owner.data('PUT', `orders/${placed.id}/items`, items(3));
    expect(three).toMatchObject({ status: 'PENDING', totalPrice: 5000 });
    const headers = { 'If-Match': `"${three.updatedAt}"` };
    const one = await owner.send('PUT', `orders/${placed.id}/items`, items(1), headers);
    expect([one.status, one.body.data]).toMatchObject([200, { status: 'PROCESSING', totalPrice: 0 }]);
    const { entries } = await store.data('get_order_timeline', { orderId: placed.id });
    expect(entries.filter(({ kind }: any) => kind === 'items').map(({ changes }: any) => changes)).toEqual([
      expect.not.objectContaining({ status: expect.anything() }),
      expect.objectContaining({ totalPrice: [5000, 0], status: ['PENDING', 'PROCESSING'] }),
    ]);
    const { items: events } = await store.feed();
    expect(events.at(-1)).toMatchObject({ event: 'order.updated', data: { status: 'PROCESSING' } });
    expect((await store.data('get_customer', { id: '55' })).bonusBalance).toBe(3);
    await later(25);
    expect([await statusOf(placed.id), await stock()]).toEqual(['PROCESSING', 9]);
  });

  it('have 15 minutes from the last accepted pre-checkout', async () => {
    const placed = await order();
    const ask = async (amount: number) => {
      const before = messenger.callsOf('answerPreCheckoutQuery').length;
      const terms = { id: 'q', currency: 'USD', total_amount: amount, invoice_payload: `${placed.id}:5000` };
      const from = { id: Number(SHOPPER), is_bot: false };
      await bot.send(JSON.stringify({ update_id: 3, pre_checkout_query: { from, ...terms } }));
      const calls = () => messenger.callsOf('answerPreCheckoutQuery');
      await eventually('the query is answered', () => calls().length > before);
      return calls()[before].body.ok as boolean;
    };
    clock.advance(23.9 * HOUR_MS);
    expect(await ask(5000)).toBe(true);
    await later(0.2);
    expect(await statusOf(placed.id)).toBe('PENDING');
    expect(await ask(1)).toBe(false);
    await later(0.1);
    expect(await statusOf(placed.id)).toBe('CANCELLED');
  });

  it('are cancelled in other stores while the calls of one have all of its share', async () => {
    const other = await app.store();
    await other.data('create_payment_provider', {
      ...{ providerName: 'card', providerToken: '284685063:TEST:NjQ3YzhkZWU', isTestMode: false },
      ...{ isActive: true, supportedCurrencies: ['USD'] },
    });
    await other.data('update_checkout', { mode: 'native_payments' });
    await BotWebhook.connect(other, messenger);
    const theirs = await other.product({ price: '25', itemAmount: 10 });
    const shopper = new MiniApp(other, { id: SHOPPER, first_name: 'Ann' }, { at: clock.now() });
    const items = [{ productId: theirs.productId, quantity: 1 }];
    const placed = [await order(), (await shopper.order({ paymentMethod: 'card', items })).body.data];
    const statuses = async () => [
      await statusOf(placed[0].id),
      (await other.data('get_order', { orderId: placed[1].id })).status,
    ];
    const caps = app.nest.get(Caps);
    jest.replaceProperty(CAPS.connections, 'maxWaitMs', 20);
    const held: (() => void)[] = [];
    const takeAll = () => {
      for (;;) held.push(caps.take('connections', { storeId: store.id }));
    };
    expect(takeAll).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    await later(24.1);
    jest.restoreAllMocks();
    for (const free of held) free();
    expect(await statuses()).toEqual(['PENDING', 'CANCELLED']);
    const { errors } = (
      await app.query<any>(
        `select count(*) filter (where error is not null)::int as errors from job_runs where name = $1`,
        [job.name],
      )
    )[0];
    expect(errors).toBe(0);
    await later(0);
    expect(await statuses()).toEqual(['CANCELLED', 'CANCELLED']);
  });

  it('are never cancelled with UNPAID_ORDER_HOURS=0', async () => {
    // The job of the other process has the same database and clock, and cancels.
    await app.stopJobs();
    const { database } = app;
    const env = { UNPAID_ORDER_HOURS: '0', MESSENGER_API_ROOT: messenger.apiRoot };
    const never = await TestApp.start({ database, clock, env });
    try {
      const placed = await order();
      await later(1000, never.nest.get(Scheduler));
      expect(await statusOf(placed.id)).toBe('PENDING');
    } finally {
      await never.stop();
    }
  });
});
