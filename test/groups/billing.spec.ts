import { FirstContact } from '../../src/groups/customers/first-contact.service.js';
import { PLANS } from '../../src/stores/plans.js';
import { JOBS } from '../../src/jobs/job-list.js';
import { Scheduler } from '../../src/jobs/scheduler.service.js';
import { commandCode } from '../support/servers/service-process.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { TestClock, type TestStore, useShop } from '../support/test-app.js';

const clock = new TestClock();
// The job that issues invoices looks at all stores, so they are in a database of their own.
const app = useShop(async () => ({ clock, database: await preparedDatabase() }));
beforeEach(() => clock.set(new Date('2026-01-31T10:30:00.000Z')));

const run = async (command: string, store: TestStore, options: Record<string, string> = {}): Promise<any> =>
  (await commandCode(command)).run({
    app: app.nest,
    options: { store: store.id, ...options },
    runtime: undefined as never,
  });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'not refused',
    ({ code, message }) => `${code} ${message}`,
  );
const audits = (store: TestStore) =>
  app.query(
    'select operation, transport, actor_name, target, changes from audit_log where store_id = $1 order by id',
    [store.id],
  );

async function customers(store: TestStore, count: number): Promise<void> {
  await app.query(
    `insert into customers (store_id, id, created_at, updated_at)
      select $1, 1000000 + coalesce(max(c.id), 0) + n, $3, $3
     from generate_series(1, $2::int) n, (select max(id) as id from customers where store_id = $1) c
       group by n`,
    [store.id, count, clock.now()],
  );
}

describe('get_billing_status', () => {
  it('describes a store that nobody put on a plan', async () => {
    const store = await app.store({ currency: 'EUR', plan: 'growth' });
    const { status, body } = await store.call('get_billing_status', {}, { scope: 'read' });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      subscription: { status: 'active', startedAt: '2026-01-31T10:30:00.000Z', cancelAtPeriodEnd: false },
      plan: { code: 'growth', name: 'Growth', price: 29, currency: 'USD', interval: 'month' },
      window: { start: '2026-01-31T00:00:00.000Z', end: '2026-02-28T00:00:00.000Z' },
      features: { messages: true, contests: true, cashback: true, webhooks: true, mcp: true },
      usage: {
        base: 29,
        includedContacts: 5000,
        contacts: 0,
        overageContacts: 0,
        overageUnitPrice: 0.01,
        overage: 0,
        total: 29,
        currency: 'USD',
      },
      contacts: { total: 0, active: 0, banned: 0, botBlocked: 0, asOf: '2026-01-31T10:30:00.000Z' },
      migration: { status: 'none', fromPlan: null, toPlan: null },
    });
  });

  it.each(PLANS.map(({ code, features }) => [code, features] as const))(
    'has the features of %s',
    async (plan, features) => {
      const store = await app.store({ plan });
      expect(await store.data('get_billing_status')).toMatchObject({ plan: { code: plan }, features });
    },
  );

  it('counts contacts, and prices each beyond the included ones exactly', async () => {
    const store = await app.store({ plan: 'free' });
    await customers(store, 100);
    expect((await store.data('get_billing_status')).usage).toMatchObject({
      contacts: 100,
      overageContacts: 0,
      total: 0,
    });
    for (const id of ['1', '2', '3'])
      await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id }));
    await store.data('update_customer', { id: '1', isBanned: true });
    await store.data('update_customer', { id: '2', isBotBlocked: true });
    await store.data('update_customer', { id: '3', isBanned: true, isBotBlocked: true });
    clock.advance(5_000);
    expect(await store.data('get_billing_status')).toMatchObject({
      usage: {
        contacts: 103,
        overageContacts: 3,
        overageUnitPrice: 0.02,
        base: 0,
        overage: 0.06,
        total: 0.06,
      },
      contacts: { total: 103, active: 100, banned: 2, botBlocked: 2, asOf: '2026-01-31T10:30:05.000Z' },
    });
  });

  it('moves the window on, a month at a time', async () => {
    const store = await app.store();
    clock.set(new Date('2026-02-27T23:59:59.999Z'));
    expect((await store.data('get_billing_status')).window.end).toBe('2026-02-28T00:00:00.000Z');
    clock.advance(1);
    expect((await store.data('get_billing_status')).window).toEqual({
      start: '2026-02-28T00:00:00.000Z',
      end: '2026-03-31T00:00:00.000Z',
    });
  });

  it('refuses any input', async () => {
    const store = await app.store();
    const { status, body } = await store.call('get_billing_status', { plan: 'pro' });
    expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
    expect(body.error!.message).toMatch(/^plan is not a known property/);
  });
});

describe('billing plan', () => {
  it('puts the store on a plan at once, audited as the operator', async () => {
    const store = await app.store({ plan: 'free' });
    clock.set(new Date('2026-02-10T00:00:00.000Z'));
    expect(await run('billing plan', store, { plan: 'pro' })).toEqual({
      id: store.id,
      plan: 'pro',
      previousPlan: 'free',
    });
    expect(await store.data('get_billing_status')).toMatchObject({
      subscription: { status: 'active', startedAt: '2026-01-31T10:30:00.000Z', cancelAtPeriodEnd: false },
      plan: { code: 'pro', price: 99 },
      features: { messages: true },
      usage: { base: 99 },
      migration: { status: 'completed', fromPlan: 'free', toPlan: 'pro' },
    });
    expect(await app.query('select plan from stores where id = $1', [store.id])).toEqual([{ plan: 'pro' }]);
    expect(await audits(store)).toContainEqual({
      operation: 'billing.plan',
      transport: 'cli',
      actor_name: 'operator',
      target: `store:${store.id}`,
      changes: { plan: ['free', 'pro'] },
    });
  });

  it('answers the latest of several changes, and changes nothing for the present plan', async () => {
    const store = await app.store({ plan: 'free' });
    for (const plan of ['growth', 'pro', 'pro']) {
      clock.advance(1_000);
      await run('billing plan', store, { plan });
    }
    const { migration } = await store.data('get_billing_status');
    expect(migration).toEqual({ status: 'completed', fromPlan: 'growth', toPlan: 'pro' });
    expect(
      await app.query('select from_plan from plan_changes where store_id = $1', [store.id]),
    ).toHaveLength(2);
  });

  it('takes back a cancellation', async () => {
    const store = await app.store({ plan: 'free' });
    await run('billing plan', store, { plan: 'growth' });
    await app.query(
      `update subscriptions set status = 'canceled', cancel_at_period_end = true where store_id = $1`,
      [store.id],
    );
    const canceled = { status: 'canceled', cancelAtPeriodEnd: true };
    expect((await store.data('get_billing_status')).subscription).toMatchObject(canceled);
    await run('billing plan', store, { plan: 'pro' });
    const active = { status: 'active', cancelAtPeriodEnd: false };
    expect((await store.data('get_billing_status')).subscription).toMatchObject(active);
  });

  it('refuses a plan that does not exist, and changes nothing', async () => {
    const [store, other] = [await app.store({ plan: 'free' }), await app.store({ plan: 'free' })];
    for (const plan of ['gold', '', 'PRO']) {
      expect(await refusal(run('billing plan', store, { plan }))).toBe(
        'invalid_input plan must be one of free, growth, pro',
      );
    }
    await run('billing plan', other, { plan: 'pro' });
    expect(await store.data('get_billing_status')).toMatchObject({
      plan: { code: 'free' },
      migration: { status: 'none' },
    });
  });
});

describe('billing issue', () => {
  it('issues the period that ended last, once', async () => {
    const store = await app.store({ plan: 'growth' });
    await customers(store, 5_003);
    clock.set(new Date('2026-03-05T12:00:00.000Z'));
    const invoice = await run('billing issue', store);
    expect(invoice).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      number: `INV-${store.id.slice(-12).toUpperCase()}-20260131`,
      status: 'open',
      amount: 29.03,
      currency: 'USD',
      periodStart: '2026-01-31T00:00:00.000Z',
      periodEnd: '2026-02-28T00:00:00.000Z',
      issuedAt: '2026-03-05T12:00:00.000Z',
      paidAt: null,
    });
    clock.advance(60_000);
    await customers(store, 10);
    await run('billing plan', store, { plan: 'pro' });
    for (const period of [undefined, '2026-01-31', '2026-02-27']) {
      expect(await run('billing issue', store, period ? { period } : {})).toEqual(invoice);
    }
    expect((await store.data('list_invoices')).items).toEqual([invoice]);
    expect(await audits(store)).toContainEqual(
      expect.objectContaining({ operation: 'billing.issue', target: `invoice:${invoice.id}` }),
    );
  });

  it('issues once also when many issue it', async () => {
    const store = await app.store();
    clock.set(new Date('2026-03-05T12:00:00.000Z'));
    const invoices = await Promise.all(Array.from({ length: 8 }, () => run('billing issue', store)));
    expect(new Set(invoices.map(({ id }) => id)).size).toBe(1);
    expect((await store.data('list_invoices')).items).toHaveLength(1);
  });

  it('prices the plan and the contacts of the period, not those that came later', async () => {
    const store = await app.store({ plan: 'free' });
    await customers(store, 101);
    clock.set(new Date('2026-02-28T00:00:00.000Z'));
    await customers(store, 1);
    await run('billing plan', store, { plan: 'growth' });
    clock.advance(1_000);
    await run('billing plan', store, { plan: 'pro' });
    expect((await run('billing issue', store)).amount).toBe(0.02);
    clock.set(new Date('2026-03-31T00:00:00.000Z'));
    expect((await run('billing issue', store, { period: '2026-02-28' })).amount).toBe(99);
  });

  it('marks an invoice of 0 as paid', async () => {
    const store = await app.store({ plan: 'free' });
    clock.set(new Date('2026-02-28T10:30:00.000Z'));
    const invoice = await run('billing issue', store, { period: '2026-01-31' });
    expect(invoice).toMatchObject({
      amount: 0,
      status: 'paid',
      issuedAt: invoice.paidAt,
      paidAt: '2026-02-28T10:30:00.000Z',
    });
  });

  it('waits until the period is over, and leaves what it costs open until then', async () => {
    const store = await app.store({ plan: 'free' });
    const lastMoment = new Date('2026-02-27T23:59:59.999Z');
    for (const now of [clock.now(), lastMoment]) {
      clock.set(now);
      expect(await refusal(run('billing issue', store, { period: '2026-01-31' }))).toBe(
        'invalid_input period is not over: its invoice can be issued from 2026-02-28 on',
      );
    }
    await customers(store, 101);
    clock.set(new Date('2026-02-28T00:00:00.000Z'));
    expect((await run('billing issue', store, { period: '2026-01-31' })).amount).toBe(0.02);
    expect((await store.data('list_invoices')).items).toHaveLength(1);
  });

  it.each([
    ['2026-01-30', 'period must not be before the subscription started'],
    ['2026-01-31', 'period is not over: its invoice can be issued from 2026-02-28 on'],
    ['2026-02-28', 'period is not over: its invoice can be issued from 2026-03-31 on'],
    ['2026-02-30', 'period must be a real day as YYYY-MM-DD'],
    ['January', 'period must be a real day as YYYY-MM-DD'],
    ['', 'period must be a real day as YYYY-MM-DD'],
    [undefined, 'period is required: the first one ends on 2026-02-28T00:00:00.000Z'],
  ])('refuses the period %j', async (period, message) => {
    const store = await app.store();
    expect(await refusal(run('billing issue', store, period === undefined ? {} : { period }))).toBe(
      `invalid_input ${message}`,
    );
    expect((await store.data('list_invoices')).items).toEqual([]);
  });

  it('refuses the id of an unknown store', async () => {
    const store = { id: '00000000-0000-7000-8000-00000000dead' } as TestStore;
    expect(await refusal(run('billing issue', store, { period: '2026-01-31' }))).toBe(
      'not_found There is no such store',
    );
    expect(await refusal(run('billing plan', store, { plan: 'pro' }))).toMatch(/^not_found/);
  });
});

describe('a period with two plans', () => {
  it.each([
    ['pro', 'free', 95.67],
    ['free', 'pro', 3.33],
    ['pro', 'growth', 96.67],
  ])('from %s to %s on its last day costs what each costs for its days', async (from, to, amount) => {
    clock.set(new Date('2026-04-10T08:00:00.000Z'));
    const store = await app.store({ plan: from });
    clock.set(new Date('2026-05-09T12:00:00.000Z'));
    await run('billing plan', store, { plan: to });
    clock.set(new Date('2026-05-10T12:00:00.000Z'));
    // 30 days, the last of them on the other plan; 3.30, and 95.70 with the last day's 0.
    const prices = { free: 0, growth: 29, pro: 99 } as Record<string, number>;
    const expected = Math.round(((prices[from] * 29 + prices[to]) / 30) * 100) / 100;
    expect((await run('billing issue', store)).amount).toBe(expected);
    expect(Math.abs(expected - amount)).toBeLessThan(0.05);
  });
});

describe('by itself', () => {
  const issueAll = () => app.nest.get(Scheduler).run(JOBS.find(({ name }) => name === 'due_invoices')!);

  it('the service issues every period that is over, once', async () => {
    const store = await app.store({ plan: 'pro' });
    clock.set(new Date('2026-03-30T23:59:59.999Z'));
    await issueAll();
    const list = async () => (await store.data('list_invoices')).items;
    expect((await list()).map(({ periodStart }: any) => periodStart.slice(0, 10))).toEqual(['2026-01-31']);
    clock.set(new Date('2026-04-30T00:00:00.000Z'));
    await issueAll();
    await issueAll();
    expect((await list()).map(({ periodStart }: any) => periodStart.slice(0, 10))).toEqual([
      '2026-03-31',
      '2026-02-28',
      '2026-01-31',
    ]);
    expect(await audits(store)).toContainEqual(
      expect.objectContaining({ operation: 'billing.issue', actor_name: 'system' }),
    );
  });
});

describe('billing pay', () => {
  it('records the payment of an invoice, once', async () => {
    const store = await app.store({ plan: 'pro' });
    clock.set(new Date('2026-03-05T12:00:00.000Z'));
    const { number, ...open } = await run('billing issue', store);
    expect(open).toMatchObject({ status: 'open', paidAt: null });
    clock.advance(1_000);
    const paid = await run('billing pay', store, { number });
    expect(paid).toEqual({ ...open, number, status: 'paid', paidAt: '2026-03-05T12:00:01.000Z' });
    clock.advance(1_000);
    expect(await run('billing pay', store, { number })).toEqual(paid);
    expect((await store.data('list_invoices')).items).toEqual([paid]);
    expect(await audits(store)).toContainEqual(
      expect.objectContaining({ operation: 'billing.pay', changes: { status: ['open', 'paid'] } }),
    );
    expect(await refusal(run('billing pay', store, { number: 'INV-0' }))).toMatch(/^not_found/);
    expect(await refusal(run('billing pay', await app.store(), { number }))).toMatch(/^not_found/);
  });
});

describe('list_invoices', () => {
  it('lists newest first, page by page, while more are issued', async () => {
    const [store, other] = [await app.store(), await app.store()];
    const issued: any[] = [];
    for (let month = 2; month <= 8; month++) {
      clock.set(new Date(Date.UTC(2026, month, 3)));
      issued.unshift(await run('billing issue', store));
    }
    await run('billing issue', other);
    const first = await store.data('list_invoices', { take: 3 }, { scope: 'read' });
    clock.set(new Date(Date.UTC(2026, 9, 3)));
    const newest = await run('billing issue', store);
    const second = await store.data('list_invoices', { take: 3, cursor: first.nextCursor });
    const third = await store.data('list_invoices', { take: 3, cursor: second.nextCursor });
    expect([...first.items, ...second.items, ...third.items]).toEqual(issued);
    expect(third.nextCursor).toBeNull();
    expect((await store.data('list_invoices', { take: 1 })).items).toEqual([newest]);
  });

  it.each([
    [{ take: 1 }, 200],
    [{ take: 100 }, 200],
    [{ take: 0 }, 'take must be an integer from 1 to 100'],
    [{ take: 101 }, 'take must be an integer from 1 to 100'],
    [{ take: '5' }, 'take must be'],
    [{ take: null }, 'take must be'],
    [{ cursor: '' }, 'cursor must be a string of 1 to 500 characters'],
    [{ cursor: null }, 'cursor must be'],
    [{ cursor: 'x' }, 'cursor is not one'],
    [{ cursor: 5 }, 'cursor must be'],
    [{ period: '7d' }, 'period is not a known property'],
  ])('%j: %s', async (input, outcome) => {
    const store = await app.store();
    const { status, body } = await store.call('list_invoices', input);
    if (outcome === 200) expect([status, body.data]).toEqual([200, { items: [], nextCursor: null }]);
    else
      expect([status, body.error!.code, body.error!.message]).toEqual([
        400,
        'invalid_input',
        expect.stringContaining(`${outcome}`),
      ]);
  });
});
