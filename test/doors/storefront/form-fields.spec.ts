import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { BotWebhook, MiniApp } from './mini-app.js';

describe('the form decides', () => {
  let store: TestStore;
  let shopper: MiniApp;
  let productId: string;

  const { app, messenger } = useShopWithMessenger();
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    await BotWebhook.connect(store, messenger);
    shopper = new MiniApp(store, { id: '1001', first_name: 'Ann' });
    ({ productId } = await store.product({ price: '10', itemAmount: 50 }));
    await shopper.send('POST', 'visits');
    await store.data('adjust_bonus', { customerId: '1001', delta: 50, reason: 'gift' });
    await store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
    });
    await store.data('create_promocode', { code: 'ALL', discountType: 'PERCENTAGE', discountValue: 150 });
  });

  const field = (id: string, type: string, more: object = {}) => ({
    id,
    label: id,
    type,
    required: false,
    defaultVisible: true,
    ...more,
  });
  const form = (...fields: object[]) => store.data('update_checkout', { fields });
  const row = (id: string, value: string) => ({ id, label: id, type: 'text', value });
  const body = (more: object = {}) => ({
    paymentMethod: 'cash',
    items: [{ productId, quantity: 2 }],
    ...more,
  });
  const order = (more: object = {}) => shopper.order(body(more));
  const quote = (more: object = {}) => shopper.send('POST', 'orders/quote', body(more));
  const refused = (name: string) => ({
    status: 400,
    body: { error: { code: 'invalid_input', message: expect.stringContaining(name) } },
  });

  it('without a field of a kind, bonus and promocode are taken as before; 150 % is 100', async () => {
    await form(field('name', 'text'));
    expect((await order({ bonusToSpend: 5 })).body.data).toMatchObject({ totalPrice: 1500 });
    expect((await order({ promocode: 'ALL' })).body.data).toMatchObject({ totalPrice: 0 });
  });

  it('each is taken only while the form shows a field of its kind', async () => {
    const conditions = [{ dependsOn: 'pay', operator: 'equals', value: 'cash', action: 'hide' }];
    const hidden = { conditions };
    await form(
      field('pay', 'text'),
      field('use', 'bonus_toggle', hidden),
      field('code', 'promocode_input', hidden),
    );
    const cash = { checkoutData: [row('pay', 'cash')] };
    expect(await order({ ...cash, bonusToSpend: 5 })).toMatchObject(refused('bonusToSpend'));
    expect(await order({ ...cash, promocode: 'ALL' })).toMatchObject(refused('promocode'));
    expect((await order(cash)).status).toBe(200);
    const card = { checkoutData: [row('pay', 'card')] };
    expect((await order({ ...card, bonusToSpend: 5 })).body.data).toMatchObject({ totalPrice: 1500 });
    expect((await store.data('get_customer', { id: '1001' })).bonusBalance).toBe(45);
  });

  it('its value is what the order gives, for conditions and required; another row is 400', async () => {
    const priceAdjustment = { operator: 'add', value: 3 };
    const dear = {
      dependsOn: 'use',
      operator: 'equals',
      value: 'true',
      action: 'increase_price',
      priceAdjustment,
    };
    await form(
      field('use', 'bonus_toggle'),
      field('code', 'promocode_input', { required: true }),
      field('fee', 'text', { conditions: [dear] }),
    );
    expect(await order()).toMatchObject(refused('promocode'));
    await store.data('create_promocode', { code: 'HALF', discountType: 'PERCENTAGE', discountValue: 50 });
    const half = { promocode: 'half', checkoutData: [row('code', 'HALF')] };
    expect((await order(half)).body.data).toMatchObject({ totalPrice: 1000 });
    const bonus = { promocode: 'HALF', bonusToSpend: 1 };
    expect((await order(bonus)).body.data).toMatchObject({ totalPrice: 1050 });
    for (const checkoutData of [[row('use', 'false')], [row('code', 'OTHER')]])
      expect(await order({ ...bonus, checkoutData })).toMatchObject(refused('checkoutData[0].value'));
  });

  describe('a quote', () => {
    it('says what the order would cost, and changes nothing', async () => {
      await form(field('name', 'text', { required: true }));
      const wanted = { bonusToSpend: 3 };
      const { status, body: answer } = await quote(wanted);
      expect([status, answer.data]).toEqual([
        200,
        {
          currency: 'USD',
          lines: [
            {
              productId,
              variantId: null,
              title: expect.any(String),
              quantity: 2,
              price: 1000,
              discount: 0,
              bonus: 300,
              paid: 1700,
            },
          ],
          adjustments: [],
          promocode: null,
          mostBonus: 20,
          bonus: 300,
          tip: 0,
          total: 1700,
        },
      ]);
      expect((await quote({ promocode: 'ALL' })).body.data).toMatchObject({
        promocode: { code: 'ALL', amount: 2000 },
        total: 0,
      });
      expect((await store.data('list_promocodes')).items[0].usedCount).toBe(0);
      expect((await store.data('list_products')).items[0].itemAmount).toBe(50);
      expect((await store.data('get_customer', { id: '1001' })).bonusBalance).toBe(50);
      expect((await store.data('list_orders')).items).toEqual([]);
      expect(await order(wanted)).toMatchObject(refused('name'));
      expect(await quote({ items: [{ productId, quantity: 90 }] })).toMatchObject(refused('items'));
    });

    it('makes a stranger no customer', async () => {
      const stranger = new MiniApp(store, { id: '77', first_name: 'Eve' });
      expect((await stranger.send('POST', 'orders/quote', body())).status).toBe(200);
      expect((await store.call('get_customer', { id: '77' })).status).toBe(404);
    });

    it('binds the order by expectedTotal, whose refusal says the sum', async () => {
      expect(await order({ expectedTotal: 1999 })).toMatchObject(refused('2000'));
      expect((await store.data('list_orders')).items).toEqual([]);
      expect((await order({ expectedTotal: 2000 })).body.data).toMatchObject({ totalPrice: 2000 });
    });
  });
});
