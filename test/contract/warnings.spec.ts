import { type Told, WARNINGS } from '../../src/platform/problems.js';
import { StorePage } from '../doors/dashboard/browser.js';
import { TestClock, type TestStore, useShop } from '../support/test-app.js';

type Words = Record<string, (values: object, says: object) => string>;
const [ENGLISH, UKRAINIAN] = ['en', 'uk'].map(
  (language) =>
    jest.requireActual<{ warnings: Words }>(`../../web/dashboard/words/${language}/warnings`).warnings,
);
const SAYS = { minor: String, major: String, label: (field: string) => field };

interface Answer {
  warnings?: string[];
  told?: Told[];
  items?: Answer[];
}
const parts = (answer: Answer): Answer[] => [answer, ...(Array.isArray(answer.items) ? answer.items : [])];

describe('warnings', () => {
  const clock = new TestClock(new Date('2026-03-01T12:00:00Z'));
  let store: TestStore;
  let last = 0;

  const app = useShop({ clock });
  const told = new Set<string>();
  /** What pages are told has the words of both languages. */
  const judge = ({ warnings = [], told: of = [] }: Answer) => {
    expect(of).toHaveLength(warnings.length);
    for (const { problem, values } of of) {
      told.add(problem);
      const said = [ENGLISH, UKRAINIAN].map((words) => words[problem](values, SAYS));
      expect(said).toEqual([expect.stringMatching(/[a-z]/i), expect.stringMatching(/[а-яіїєґ]/i)]);
      expect(said.join()).not.toMatch(/undefined|NaN|\[object/);
    }
  };
  /** A store whose calls are first made on the dashboard, in a rehearsal where there is one. */
  const open = async (values: { currency?: string } = {}): Promise<TestStore> => {
    const opened = await app.store(values);
    const owner = await StorePage.ofOwner(opened);
    const make = (operation: string, input: unknown) => owner.data('POST', `operations/${operation}`, input);
    const data = opened.data.bind(opened);
    opened.data = async (operation, input = {}, options) => {
      const { body } = await owner.send('POST', 'operations/preview_change', { operation, input });
      if (body.error?.message.startsWith('operation must')) return data(operation, input, options);
      const answer = body.ok ? body.data.answer : await make(operation, input);
      for (const part of parts(answer)) judge(part);
      if (!body.ok) return answer;
      const plain = await data(operation, input, options);
      const texts = (of: Answer) => parts(of).map(({ warnings }) => warnings);
      expect(texts(plain)).toEqual(texts(answer));
      for (const part of parts(plain)) expect(part).not.toHaveProperty('told');
      return plain;
    };
    return opened;
  };
  beforeEach(async () => {
    store = await open();
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

  it('by payment providers and the checkout name what no order can be paid through', async () => {
    const make = (values: object) =>
      store.data('create_payment_provider', {
        ...{ providerName: 'card', providerToken: 't', isTestMode: false, isActive: true },
        ...{ supportedCurrencies: ['USD'], ...values },
      });
    const stars = { providerName: 'stars', providerToken: '', supportedCurrencies: ['XTR'] };
    expect(await make(stars)).not.toHaveProperty('warnings');
    const native = () => store.data('update_checkout', { mode: 'native_payments' });
    const unpayable = ['mode native_payments: no active provider takes USD, so no order can be paid'];
    expect((await native()).warnings).toEqual(unpayable);
    expect((await make({ ...stars, supportedCurrencies: ['XTR', 'ZZZ'] })).warnings).toEqual([
      'supportedCurrencies lack USD: no order of this store can be paid through stars',
      'supportedCurrencies hold ZZZ: neither ISO 4217 nor XTR',
      'providerToken is empty: no order can be paid through stars',
      'providerName stars is that of another live provider: the newer one is paid',
    ]);
    const agreed = { providerName: 'cash', providerToken: '', metadata: { kind: 'agreement' } };
    expect(await make({ ...agreed, isActive: false })).not.toHaveProperty('warnings');
    expect((await native()).warnings).toEqual(unpayable);
    const card = await make({});
    expect(card).not.toHaveProperty('warnings');
    expect(await native()).not.toHaveProperty('warnings');
    const same = await make({});
    expect(same.warnings).toEqual([expect.stringContaining('another live provider')]);
    const tested = await store.data('update_payment_provider', { id: same.id, isTestMode: true });
    expect(tested).not.toHaveProperty('warnings');
    const emptied = await store.data('update_payment_provider', { id: card.id, providerToken: '' });
    expect(emptied.warnings).toEqual([expect.stringContaining('providerToken is empty')]);
  });

  it('by add_order_note name a note of blanks alone', async () => {
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] }, { id: '5' });
    const noted = await store.data('add_order_note', { orderId, note: ' \n' });
    expect(noted).toMatchObject({ note: { text: ' \n' }, warnings: ['note holds blanks alone'] });
    expect(await store.data('add_order_note', { orderId, note: 'x' })).not.toHaveProperty('warnings');
  });

  it('by update_monetization name rates of no category', async () => {
    const category = await store.data('create_category', { name: 'Hats', slug: 'warm-hats' });
    const { productId } = await store.product();
    const [{ id }] = (await store.data('find_products', { text: productId })).items;
    await store.data('update_product', { id, category: 'Old text' });
    const keys = [category.id, 'warm-hats', 'Hats', 'Old text', 'hats', 'Shoes'];
    const categoryRates = keys.map((categoryKey) => ({ categoryKey, cashbackPercentage: 1 }));
    const cashback = { enabled: true, levels: [], promotions: [], maxCashbackPerOrder: null, categoryRates };
    const { warnings } = await store.data('update_monetization', {
      cashback: { ...cashback, cashbackTrigger: 'on_payment' },
    });
    expect(warnings).toEqual([
      `cashback.categoryRates: "hats" is no category's id, slug or name`,
      `cashback.categoryRates: "Shoes" is no category's id, slug or name`,
    ]);
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

  it('by update_checkout name price changes without amount, below 0 or finer than the currency', async () => {
    const price = (value?: number, action = 'increase_price') => ({
      ...condition('a', action),
      ...(value === undefined ? {} : { priceAdjustment: { operator: 'add', value } }),
    });
    const inYen = await open({ currency: 'JPY' });
    const conditions = [price(), price(-5), price(4.99), price(1e-7), price(5), price(0.5, 'show')];
    const path = 'fields[1].conditions';
    const { warnings } = await inYen.data('update_checkout', {
      fields: [field('a'), field('b', conditions)],
    });
    expect(warnings).toEqual([
      `${path}[0].priceAdjustment is missing: increase_price does nothing without it`,
      `${path}[1].priceAdjustment.value is below 0: the action decides, 5 counts`,
      `${path}[2].priceAdjustment.value has more decimals than count in JPY: it counts as 4`,
      `${path}[3].priceAdjustment.value has more decimals than count in JPY: it counts as 0`,
    ]);
    const inDollars = { fields: [field('a'), field('b', [price(4.99)])] };
    expect(await store.data('update_checkout', inDollars)).not.toHaveProperty('warnings');
  });

  it('of update_monetization name amounts that are finer than bonus is', async () => {
    const referral = { referralJoinBonus: 0.9, referrerOrderBonus: 1.9, referrerBonusFrequency: 'once' };
    const inYen = await open({ currency: 'JPY' });
    expect((await inYen.data('update_monetization', { referral })).warnings).toEqual([
      'referral.referralJoinBonus has more decimals than count in JPY: it counts as 0',
      'referral.referrerOrderBonus has more decimals than count in JPY: it counts as 1',
    ]);
    expect(await store.data('update_monetization', { referral })).not.toHaveProperty('warnings');
    const inDinars = await open({ currency: 'KWD' });
    const finer = { ...referral, referralJoinBonus: 0.125 };
    expect((await inDinars.data('update_monetization', { referral: finer })).warnings).toEqual([
      'referral.referralJoinBonus has more decimals than count in KWD: it counts as 0.12',
    ]);
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

  const productWith = (fields: object = {}) =>
    store.data('create_product', {
      productId: `warned-${++last}`,
      ...{ title: 'Tee', description: '', images: ['https://images.example/a.png'], price: 20 },
      ...fields,
    });
  const sizes = (...values: object[]) => ({ variants: [{ optionTitle: 'Size', values }] });

  it('name a sale price that is not lower, and ten times or a tenth of what was charged', async () => {
    const notLower = (path: string, sale: number, price: number) =>
      `${path}salePrice ${sale} is not below price ${price}: shoppers are charged ${sale}`;
    const jump = (name: string, from: number, to: number) =>
      `${name}: shoppers were charged ${from} and are now charged ${to}; prices are in major units`;
    const product = await productWith({ salePrice: 20 });
    expect(product.warnings).toEqual([notLower('', 20, 20)]);
    const update = async (fields: object) =>
      (await store.data('update_product', { id: product.id, ...fields })).warnings;
    expect(await update({ title: 'Shirt' })).toBeUndefined();
    expect(await update({ price: 30, salePrice: 19 })).toBeUndefined();
    expect(await update({ price: 300, salePrice: 1.9 })).toEqual([jump('salePrice', 19, 1.9)]);
    expect(await update({ price: 301 })).toBeUndefined();
    expect(await update({ salePrice: null })).toEqual([jump('price', 1.9, 301)]);
    expect(await update({ salePrice: 30.1 })).toEqual([jump('salePrice', 301, 30.1)]);
    const tee = await productWith(sizes({ variantValue: 'S', price: 10, salePrice: 11 }));
    expect(tee.warnings).toEqual([notLower('variants[0].values[0].', 11, 10)]);
    const { id } = tee.variants[0].values[0];
    const variant = async (fields: object) =>
      (await store.data('update_variant', { id, ...fields })).warnings;
    expect(await variant({ salePrice: null })).toBeUndefined();
    expect(await variant({ price: 1 })).toEqual([jump('price', 10, 1)]);
    const added = { productId: tee.id, optionTitle: 'Size', variantValue: 'M', price: 2, salePrice: 3 };
    expect((await store.data('create_variant', added)).warnings).toEqual([notLower('', 3, 2)]);
  });

  it('say that shoppers get for nothing what has a price or sale price of 0, at every door', async () => {
    const free = (name: string) => [`${name} is 0: shoppers get it free`];
    const tee = await productWith(sizes({ variantValue: 'S', price: 10, salePrice: 0 }));
    expect(tee.warnings).toEqual(free('variants[0].values[0].salePrice'));
    const { id } = tee.variants[0].values[0];
    const variant = async (fields: object) =>
      (await store.data('update_variant', { id, ...fields })).warnings;
    expect(await variant({ salePrice: null })).toBeUndefined();
    expect(await variant({ salePrice: 0 })).toEqual(free('salePrice'));
    expect(await variant({ sortOrder: 3 })).toBeUndefined();
    expect(await variant({ price: 0, salePrice: null })).toEqual(free('price'));
    // Nobody loses anything by a price on what was free.
    expect(await variant({ price: 10 })).toBeUndefined();
    const { productId } = tee;
    const priced = { items: [{ productId: tee.id, variantId: id, salePrice: 0 }] };
    for (const preview of [true, false])
      expect((await store.data('update_prices', { ...priced, preview })).items[0].warnings).toEqual(
        free('salePrice'),
      );
    const upsert = async (value: object) => {
      const variants = sizes({ variantValue: 'S', price: 10, ...value });
      const items = [{ productId, ...variants }];
      return (await store.data('create_products', { items, upsert: true })).items[0].warnings;
    };
    expect(await upsert({ salePrice: null })).toBeUndefined();
    expect(await upsert({ salePrice: 0 })).toEqual(free('Size: S: salePrice'));
    const added = { productId: tee.id, optionTitle: 'Size', variantValue: 'M', price: 0 };
    expect((await store.data('create_variant', added)).warnings).toEqual(free('price'));
  });

  it('name the variants that shoppers buy, if the product itself gets stock or a price', async () => {
    const plain = await productWith();
    const tee = await productWith(sizes({ variantValue: 'S', price: 10 }, { variantValue: 'M', price: 10 }));
    expect(tee).not.toHaveProperty('warnings');
    const [s, m] = tee.variants[0].values;
    const noEffect = (names: string) => [
      `${names} no effect on orders: shoppers buy its variants ${s.id} (Size: S), ${m.id} (Size: M)`,
    ];
    const stock = async (productId: string, variantId?: string) =>
      (await store.data('update_stock', { productId, variantId, absolute: 5 })).warnings;
    expect(await stock(tee.productId)).toEqual(noEffect('itemAmount has'));
    expect([await stock(tee.id, s.id), await stock(plain.id)]).toEqual([undefined, undefined]);
    const both = await store.data('update_product', { id: tee.id, price: 21, itemAmount: 9 });
    expect(both.warnings).toEqual(noEffect('price, itemAmount have'));
    expect(await store.data('update_product', { id: tee.id, title: 'Shirt' })).not.toHaveProperty('warnings');
  });

  it('name values that null has cleared, if one call clears three or more', async () => {
    const { id } = await productWith({ salePrice: 5, itemAmount: 1, tags: 'a', season: 'b' });
    const clear = async (fields: object) => (await store.data('update_product', { id, ...fields })).warnings;
    expect(await clear({ tags: null, season: null, brand: null })).toBeUndefined();
    expect(await clear({ tags: 'a', season: 'b' })).toBeUndefined();
    expect(await clear({ tags: null, season: null, salePrice: null })).toEqual([
      expect.stringMatching(
        /^null has cleared (?=.*tags)(?=.*season)(?=.*salePrice).*: undo_change puts them back$/,
      ),
    ]);
  });

  it('name the fields of the checkout that a shorter list removed', async () => {
    await store.data('update_checkout', { fields: [field('name'), field('address'), field('comment')] });
    const { warnings } = await store.data('update_checkout', { fields: [field('name')] });
    expect(warnings).toEqual(['fields no longer has address, comment: the list replaces all']);
    expect(await store.data('update_checkout', { mode: 'manual' })).not.toHaveProperty('warnings');
  });

  it('name a code that takes everything off, without limit or end', async () => {
    const create = (code: string, fields: object) =>
      store.data('create_promocode', {
        ...{ code, discountType: 'PERCENTAGE', discountValue: 100 },
        ...fields,
      });
    const { id, warnings } = await create('ALL', {});
    expect(warnings).toEqual([expect.stringMatching(/^the code takes 100 % off and has neither/)]);
    expect((await store.data('toggle_promocode', { id, active: false })).warnings).toBeUndefined();
    for (const fields of [{ maxUses: 3 }, { expiresAt: '2026-12-31T00:00:00Z' }, { discountValue: 99 }])
      expect(await create(`SOME${++last}`, fields)).not.toHaveProperty('warnings');
  });

  it('name a credit above ten times what the customer ever spent', async () => {
    const { productId } = await productWith();
    const credit = async (customerId: string, delta: number) =>
      (await store.data('adjust_bonus', { customerId, delta, reason: 'a test' })).warnings;
    await store.place({ items: [{ productId, quantity: 1 }] }, { id: '71' }, true);
    await store.place({ items: [{ productId, quantity: 1 }] }, { id: '72' });
    expect(await credit('71', 200)).toBeUndefined();
    expect(await credit('71', 200.01)).toEqual([
      'delta 200.01 is above ten times the 20 that the customer ever spent',
    ]);
    expect([await credit('71', -300), await credit('72', 9_000)]).toEqual([undefined, undefined]);
  });

  it('name conditions of the form that no answer can meet', async () => {
    const select = { ...field('way'), type: 'select', options: 'Nova Poshta\nPickup, Rynok sq. 1' };
    const on = (dependsOn: string, operator: string, value?: string) => ({
      ...{ dependsOn, operator, action: 'show' },
      ...(value === undefined ? {} : { value }),
    });
    const conditions = [
      on('way', 'equals', 'nova poshta'),
      on('way', 'equals', ' Nova Poshta '),
      on('way', 'contains', 'POSHTA'),
      on('way', 'contains', 'courier'),
      on('way', 'not_equals', 'courier'),
      on('tick', 'equals', 'yes'),
      on('tick', 'equals', 'true'),
      on('hint', 'is_not_empty'),
      on('hint', 'is_empty'),
      on('mail', 'equals', 'nobody'),
      on('mail', 'equals', 'a@b.example'),
      on('a', 'equals', 'anything'),
    ];
    const others = [
      { ...field('tick'), type: 'checkbox' },
      { ...field('hint'), type: 'label' },
      { ...field('mail'), type: 'email' },
    ];
    const { warnings } = await store.data('update_checkout', {
      fields: [field('a', conditions), select, ...others],
    });
    const never = (i: number, value: string, of: string) =>
      `fields[0].conditions[${i}] can never hold: "${value}" is no answer that ${of} takes`;
    expect(warnings).toEqual([
      never(0, 'nova poshta', 'way'),
      never(3, 'courier', 'way'),
      never(5, 'yes', 'tick'),
      never(7, '', 'hint'),
      never(9, 'nobody', 'mail'),
    ]);
  });

  it('name rates of half an order and more that nothing caps', async () => {
    const rate = (cashbackPercentage: number) => ({ cashbackPercentage });
    const level = { minOrders: 0, maxOrders: null, levelName: 'L' };
    const promotion = { id: 'p', label: '', startsAt: '2026-02-01', endsAt: null, mode: 'add' };
    const cashback = {
      enabled: true,
      levels: [
        { ...level, ...rate(50) },
        { ...level, ...rate(49.9) },
      ],
      categoryRates: [{ categoryKey: 'mugs', ...rate(100) }],
      promotions: [
        { ...promotion, ...rate(60) },
        { ...promotion, id: 'q', ...rate(60), maxCashbackPerOrder: 5 },
        { ...promotion, id: 'r', ...rate(60), enabled: false },
      ],
      maxCashbackPerOrder: null,
      cashbackTrigger: 'on_payment',
    };
    const uncapped = (path: string, percent: number) =>
      `cashback.${path}.cashbackPercentage is ${percent}, and no maxCashbackPerOrder caps what is given back`;
    const warned = async (given: object) =>
      (await store.data('update_monetization', { cashback: { ...cashback, ...given } })).warnings;
    await store.data('create_category', { name: 'Mugs', slug: 'mugs' });
    expect(await warned({})).toEqual([
      uncapped('levels[0]', 50),
      uncapped('categoryRates[0]', 100),
      uncapped('promotions[0]', 60),
    ]);
    expect(await warned({ maxCashbackPerOrder: 10 })).toBeUndefined();
    expect(await warned({ enabled: false })).toBeUndefined();
  });

  it('name a referral reward above the average paid order of the last 90 days', async () => {
    const referral = { referralJoinBonus: 20, referrerOrderBonus: 20.01, referrerBonusFrequency: 'once' };
    const warned = async () => (await store.data('update_monetization', { referral })).warnings;
    expect(await warned()).toBeUndefined();
    const { productId } = await productWith();
    await store.place({ items: [{ productId, quantity: 9 }] });
    expect(await warned()).toBeUndefined();
    await store.place({ items: [{ productId, quantity: 1 }] }, undefined, true);
    expect(await warned()).toEqual([
      'referral.referrerOrderBonus 20.01 is above 20.00, the average paid order of the last 90 days',
    ]);
    clock.advance(91 * 86_400_000);
    const later = await store.call('update_monetization', { referral });
    expect(later.body.data).not.toHaveProperty('warnings');
    clock.advance(-91 * 86_400_000);
  });

  it('name a contest that is over, unless it is told to be', async () => {
    const contest = {
      title: 'C',
      slug: 'c',
      startDate: '2020-01-01T00:00:00Z',
      endDate: '2020-02-01T00:00:00Z',
    };
    const over = ['endDate has passed: the contest is over'];
    const { id, warnings } = await store.data('create_contest', { ...contest, status: 'ACTIVE' });
    expect(warnings).toEqual(over);
    const update = async (fields: object) => (await store.data('update_contest', { id, ...fields })).warnings;
    expect(await update({ title: 'D' })).toBeUndefined();
    expect(await update({ endDate: '2021-01-01T00:00:00Z' })).toEqual(over);
    expect(await update({ status: 'ENDED' })).toBeUndefined();
    expect(await update({ status: 'ACTIVE', endDate: '2030-01-01T00:00:00Z' })).toBeUndefined();
  });

  it('are told again to pages that repeat a call, and to callers of the API in words alone', async () => {
    const { productId } = await store.product();
    const { id: orderId, totalPrice } = await store.place({ items: [{ productId, quantity: 1 }] });
    const owner = await StorePage.ofOwner(store);
    const key = { 'Idempotency-Key': 'refund-1' };
    const input = { orderId, amount: totalPrice + 1 };
    const refund = async () => (await owner.send('POST', 'operations/refund_order', input, key)).body.data;
    const first = await refund();
    expect(first.told).toEqual([{ problem: 'refund_above', values: { total: totalPrice } }]);
    expect(await refund()).toEqual(first);
    const { body } = await store.call('refund_order', input);
    expect(Object.keys(body.data)).toEqual(Object.keys(first).filter((name) => name !== 'told'));
  });

  it('of refund_order say that a part of the total cancels the whole order', async () => {
    const { productId } = await store.product();
    const order = await store.place({ items: [{ productId, quantity: 1 }] });
    const { warnings } = await store.data('refund_order', { orderId: order.id, amount: 1 });
    expect(warnings).toEqual([
      `amount is less than the order's total, ${order.totalPrice}: the whole order is cancelled; ` +
        'set_order_status keeps the rest, and the refund',
    ]);
    // What it says is so.
    await store.data('set_order_status', { orderId: order.id, status: 'DELIVERED' });
    expect(await store.data('get_order_pricing', { orderId: order.id })).toMatchObject({ refunded: 1 });
  });

  it('of send_campaign name markup and placeholders, which are sent as they are', async () => {
    await store.place({ items: [{ productId: (await productWith()).productId, quantity: 1 }] }, { id: '81' });
    const warned = async (text: string) =>
      (await store.data('send_campaign', { name: 'N', text, audience: { customerIds: ['81'] } })).warnings;
    expect(await warned('Hello {firstName}, **new** <b>mugs</b> [here](https://a.example)')).toEqual([
      'text has **, {firstName}, <b>, [here](https://a.example), which the messenger shows as it is',
    ]);
    expect(await warned('5 < 6 (not 7), a * b, [x], snake_case and 3 > 2 {')).toBeUndefined();
  });

  it('name brands and categories that texts, or shoppers, do not find', async () => {
    const hats = await store.data('create_category', { name: 'Hats', slug: 'hats' });
    const caps = await store.data('create_category', { name: 'Caps', slug: 'caps', parentId: hats.id });
    const product = await productWith({ category: 'Hats' });
    expect(product.warnings).toEqual([expect.stringMatching(/^category "Hats" is a text alone/)]);
    const { id } = await productWith({ category: 'Caps', categoryId: caps.id });
    const warned = async (fields: object, of = hats.id) =>
      (await store.data('update_category', { id: of, ...fields })).warnings;
    expect(await warned({ name: 'Cap' }, caps.id)).toEqual([
      'products whose category text still says "Caps": 1; shoppers see "Cap", and update_products changes ' +
        'the text',
    ]);
    expect(await warned({ isActive: false })).toEqual(['products that go off sale by this: 1']);
    const placed = await store.data('update_product', { id, categoryId: caps.id });
    expect(placed.warnings).toEqual([
      expect.stringMatching(/^categoryId: category "Cap" is below "Hats", which is not active: shoppers/),
    ]);
    expect(await warned({ isActive: true })).toEqual(['products that come back on sale by this: 1']);
    const sized = await productWith(sizes({ variantValue: 'S', price: 10 }));
    const added = { productId: sized.id, optionTitle: 'Colour', variantValue: 'Red', price: 2 };
    expect((await store.data('create_variant', added)).warnings).toEqual([
      'the product has 2 options: shoppers choose one value of all',
    ]);
  });

  it('name blanks and half a button of a campaign, and a debt that a credit settles', async () => {
    const { productId } = await productWith();
    const place = () => store.place({ items: [{ productId, quantity: 1 }] }, { id: '91' }, true);
    const cashback = {
      ...{ enabled: true, categoryRates: [], promotions: [], cashbackTrigger: 'on_payment' },
      levels: [{ minOrders: 0, maxOrders: null, levelName: 'L', cashbackPercentage: 20 }],
      maxCashbackPerOrder: 10,
    };
    await store.data('update_monetization', { cashback });
    const { id: orderId } = await place();
    const audience = { customerIds: ['91'] };
    const campaign = { name: ' ', text: 'x', buttonText: 'b', audience };
    expect((await store.data('send_campaign', campaign)).warnings).toEqual([
      'name holds blanks alone',
      'buttonText without buttonUrl: the message has no button',
    ]);
    await store.data('adjust_bonus', { customerId: '91', delta: -3 });
    await store.data('set_order_status', { orderId, status: 'CANCELLED' });
    expect((await store.data('adjust_bonus', { customerId: '91', delta: 2 })).warnings).toEqual([
      '2.00 of delta settled what the customer owed; 1.00 is still owed',
    ]);
  });

  it.each<[string, object]>([
    ['brand', { description: 'd', logoUrl: 'https://a.example/l', websiteUrl: 'https://a.example' }],
    ['category', { description: 'd', imageUrl: 'https://a.example/l', parentId: '' }],
    ['contest', { description: 'd', rules: 'r', bonusReward: 5 }],
  ])('name three values of a %s that one call cleared', async (kind, full) => {
    const parent = await store.data('create_category', { name: 'P', slug: 'p' });
    const { id } = await store.data(`create_${kind}`, {
      ...(kind === 'contest'
        ? { title: 'T', startDate: '2027-01-01T00:00:00Z', endDate: '2027-02-01T00:00:00Z' }
        : { name: 'N' }),
      ...{ ...full, slug: 's' },
      ...('parentId' in full && { parentId: parent.id }),
    });
    const cleared = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
    const { warnings } = await store.data(`update_${kind}`, { id, ...cleared });
    expect(warnings).toEqual([
      expect.stringMatching(/^null has cleared \w+, \w+, \w+: undo_change puts them back$/),
    ]);
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

  it('are each told to pages by one of these tests', () => {
    expect([...told].sort()).toEqual(Object.keys(WARNINGS).sort());
  });
});
