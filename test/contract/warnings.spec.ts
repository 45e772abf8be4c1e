import { TestApp, TestClock, type TestStore } from '../support/test-app.js';

describe('warnings', () => {
  const clock = new TestClock(new Date('2026-03-01T12:00:00Z'));
  let app: TestApp;
  let store: TestStore;

  beforeAll(async () => {
    app = await TestApp.start({ clock });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    store = await app.store();
  });

  const field = (id: string, conditions?: object[]) => ({
    id,
    label: id,
    type: 'text',
    required: false,
    defaultVisible: true,
    ...(conditions ? { conditions } : {}),
  });
  const condition = (dependsOn: string, action = 'show', operator?: string) => ({
    dependsOn,
    operator: 'equals',
    value: 'yes',
    action,
    ...(operator ? { priceAdjustment: { operator, value: 1 } } : {}),
  });

  it('by update_checkout name dangling conditions, equal ids and contradicting operators', async () => {
    const conditions = [
      condition('gone'),
      condition('a', 'increase_price', 'subtract'),
      condition('a', 'decrease_price', 'add'),
      condition('a', 'increase_price', 'add'),
    ];
    const bad = await store.data('update_checkout', {
      fields: [field('a'), field('b', conditions), field('a')],
    });
    expect(bad.warnings).toEqual([
      expect.stringMatching(/^fields\[1\]\.conditions\[0\]\.dependsOn names no field/),
      expect.stringMatching(
        /^fields\[1\]\.conditions\[1\]\.priceAdjustment\.operator contradicts increase_price/,
      ),
      expect.stringMatching(
        /^fields\[1\]\.conditions\[2\]\.priceAdjustment\.operator contradicts decrease_price/,
      ),
      expect.stringMatching(/^fields\[2\]\.id is the id of another field/),
    ]);
    expect(await store.data('get_checkout')).not.toHaveProperty('warnings');
    const good = await store.data('update_checkout', { fields: [field('a'), field('b', [condition('a')])] });
    expect(good).not.toHaveProperty('warnings');
  });

  it('are 50 at most, and tell how many more there are', async () => {
    const conditions = Array.from({ length: 50 }, () => condition('gone'));
    const { warnings } = await store.data('update_checkout', {
      fields: [field('a', conditions), field('b', conditions)],
    });
    expect([warnings.length, warnings[50]]).toEqual([51, 'and 50 more']);
  });

  it('of update_monetization name a trigger without status, an empty level, an idle promotion', async () => {
    const level = (minOrders: number, maxOrders: number | null) => ({
      minOrders,
      maxOrders,
      cashbackPercentage: 1,
      levelName: 'L',
    });
    const promotion = (startsAt: string, endsAt: string | null) => ({
      id: startsAt,
      label: '',
      startsAt,
      endsAt,
      mode: 'add',
      cashbackPercentage: 1,
    });
    const cashback = {
      enabled: true,
      levels: [level(0, 5), level(6, 5), level(5, 5), level(9, null)],
      categoryRates: [],
      promotions: [
        promotion('2026-02-01', '2026-02-01'),
        promotion('2026-02-02', '2026-02-01'),
        promotion('2026-02-03', null),
      ],
      maxCashbackPerOrder: null,
      cashbackTrigger: 'on_status',
    };
    expect((await store.data('update_monetization', { cashback })).warnings).toEqual([
      expect.stringMatching(/^cashback\.cashbackTriggerStatus is missing/),
      expect.stringMatching(/^cashback\.levels\[1\]\.minOrders is above maxOrders/),
      expect.stringMatching(/^cashback\.promotions\[1\]\.endsAt is before startsAt/),
    ]);
    const sound = {
      ...cashback,
      levels: [level(0, 5)],
      promotions: [promotion('2026-02-01', null)],
      cashbackTriggerStatus: 'SHIPPED',
    };
    expect(await store.data('update_monetization', { cashback: sound })).not.toHaveProperty('warnings');
  });

  it('of update_invoice_field_config name suggested tips above the maximum', async () => {
    const bad = await store.data('update_invoice_field_config', {
      maxTipAmount: 100,
      suggestedTipAmounts: [50, 100, 101],
    });
    expect(bad.warnings).toEqual([expect.stringMatching(/^suggestedTipAmounts holds 101/)]);
    expect((await store.data('update_invoice_field_config', { needName: true })).warnings).toHaveLength(1);
    expect(await store.data('update_invoice_field_config', { maxTipAmount: 200 })).not.toHaveProperty(
      'warnings',
    );
  });

  it('of the promocode operations name a code that has expired', async () => {
    const code = { code: 'OLD', discountType: 'PERCENTAGE', discountValue: 5 };
    const old = await store.data('create_promocode', { ...code, expiresAt: '2026-02-28T12:00:00Z' });
    expect(old.warnings).toEqual([expect.stringMatching(/^expiresAt has passed/)]);
    const fresh = await store.data('create_promocode', {
      ...code,
      code: 'NEW',
      expiresAt: '2026-03-02T12:00:00Z',
    });
    expect(fresh).not.toHaveProperty('warnings');
    expect((await store.data('toggle_promocode', { id: old.id, active: true })).warnings).toHaveLength(1);
    expect(await store.data('toggle_promocode', { id: old.id, active: false })).not.toHaveProperty(
      'warnings',
    );
    expect(
      (await store.data('update_promocode', { id: fresh.id, expiresAt: '2026-01-01T00:00:00Z' })).warnings,
    ).toHaveLength(1);
    expect(await store.data('update_promocode', { id: fresh.id, expiresAt: null })).not.toHaveProperty(
      'warnings',
    );
  });

  it('of refund_order name an amount above the total, and an order that was refunded before', async () => {
    const { productId } = await store.product();
    const order = await store.place({ items: [{ productId, quantity: 1 }] });
    const refund = (amount?: number) => store.data('refund_order', { orderId: order.id, amount });
    expect(await refund(order.totalPrice)).not.toHaveProperty('warnings');
    const again = await refund(order.totalPrice + 1);
    expect(again.refund.amount).toBe(order.totalPrice + 1);
    expect(again.warnings).toEqual([
      expect.stringMatching(/^amount is above the order's total/),
      expect.stringMatching(/^orderId names an order that has been refunded before/),
    ]);
    const cancelled = await store.place({ items: [{ productId, quantity: 1 }] });
    await store.data('set_order_status', { orderId: cancelled.id, status: 'CANCELLED' });
    expect(await store.data('refund_order', { orderId: cancelled.id })).not.toHaveProperty('warnings');
  });

  it('are returned over MCP too', async () => {
    const headers = {
      Authorization: `Bearer ${store.tokens.admin}`,
      Accept: 'application/json, text/event-stream',
    };
    const send = (method: string, params: object) =>
      app.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers) as any;
    const call = await send('tools/call', {
      name: 'update_checkout',
      arguments: { fields: [field('a'), field('a')] },
    });
    expect(call.body.result.structuredContent.data.warnings).toHaveLength(1);
  });
});
