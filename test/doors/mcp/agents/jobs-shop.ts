import { startWithMessenger } from '../../../support/examples.js';
import type { BotApiServer } from '../../../support/servers/bot-api-server.js';
import { type TestApp, TestClock, type TestStore } from '../../../support/test-app.js';

const IMAGES = ['https://images.example/a.jpg'];
const NOW = new Date('2026-11-18T10:00:00Z');
export const STALE = 183;

/** The form of the shop, with what is lost most easily: conditions, surcharges, choices. */
const FORM = [
  { id: 'name', label: 'Name', type: 'text', required: true, defaultVisible: true, placeholder: 'Your name' },
  {
    id: 'phone',
    label: 'Phone',
    type: 'phone',
    required: true,
    defaultVisible: true,
    messengerDataKey: 'phone',
  },
  { id: 'email', label: 'E-mail', type: 'email', required: false, defaultVisible: true },
  {
    ...{ id: 'delivery', label: 'Delivery', type: 'select', options: 'pickup, courier' },
    ...{ required: false, defaultVisible: true },
  },
  {
    ...{ id: 'address', label: 'Address', type: 'textarea', required: false, defaultVisible: false },
    conditions: [
      { dependsOn: 'delivery', operator: 'equals', value: 'courier', action: 'show' },
      { dependsOn: 'delivery', operator: 'equals', value: 'courier', action: 'require' },
    ],
  },
  {
    ...{ id: 'gift', label: 'Gift wrapping', type: 'checkbox', required: false, defaultVisible: true },
    conditions: [
      {
        ...{ dependsOn: 'gift', operator: 'equals', value: 'true', action: 'increase_price' },
        priceAdjustment: { operator: 'add', value: 2.5 },
      },
    ],
  },
  { id: 'promocode', label: 'Promocode', type: 'promocode_input', required: false, defaultVisible: true },
  { id: 'bonus', label: 'Pay with bonus', type: 'bonus_toggle', required: false, defaultVisible: true },
  { id: 'comment', label: 'Comment', type: 'textarea', required: false, defaultVisible: true },
];

type Shopper = { id: string; firstName: string; lastName: string };
const shopper = (nth: number, name = `Buyer${nth} Shevchenko`): Shopper => {
  const [firstName, lastName] = name.split(' ');
  return { id: String(7_000_000_000 + nth), firstName, lastName };
};

/** A shop as it stands on an ordinary morning, and a second one that has been neglected. */
export class JobsShop {
  private constructor(
    readonly app: TestApp,
    readonly messenger: BotApiServer,
    readonly stop: () => Promise<void>,
    readonly store: TestStore,
    readonly neglected: TestStore,
    readonly clock: TestClock,
  ) {}

  static async open(): Promise<JobsShop> {
    const clock = new TestClock(new Date('2026-09-20T10:00:00Z'));
    const { app, messenger, stop } = await startWithMessenger({
      clock,
      env: { BASE_URL: 'https://shop.example' },
    });
    const store = await app.store({ name: 'Olena Ceramics' });
    const neglected = await app.store({ name: 'Attic' });
    const shop = new JobsShop(app, messenger, stop, store, neglected, clock);
    await app.query(`update stores set time_zone = 'Europe/Kyiv' where id = $1`, [store.id]);
    await store.data('connect_bot', { token: store.botToken });
    await shop.fill();
    await shop.neglect();
    clock.set(NOW);
    return shop;
  }

  /** Orders of one piece each at a time, with this status. @returns their ids */
  private async sell(
    at: string,
    status: string,
    orders: { by: Shopper; productId: string; variant?: string; phone?: string; quantity?: number }[],
  ): Promise<number[]> {
    this.clock.set(new Date(at));
    const ids: number[] = [];
    for (const { by, productId, variant, phone, quantity = 1 } of orders) {
      const line = { productId, quantity, ...(variant && { optionTitle: 'Colour', variantValue: variant }) };
      const shippingAddress = { name: by.firstName, phone_number: phone ?? `+38050${by.id.slice(-7)}` };
      ids.push((await this.store.place({ items: [line], shippingAddress }, by)).id);
    }
    if (status !== 'PENDING') await this.store.data('set_order_statuses', { orderIds: ids, status });
    return ids;
  }

  private async fill(): Promise<void> {
    const { store } = this;
    const nordwind = await store.data('create_brand', { name: 'Nordwind', slug: 'nordwind' });
    await store.data('create_brand', { name: 'Kiln', slug: 'kiln' });
    const mugs = await store.data('create_category', { name: 'Mugs', slug: 'mugs' });
    await store.data('create_category', { name: 'Plates', slug: 'plates' });
    const colours = (blue: number, red: number, price = 19) => [
      {
        optionTitle: 'Colour',
        values: [
          { variantValue: 'Blue', price, itemAmount: blue },
          { variantValue: 'Red', price, itemAmount: red },
        ],
      },
    ];
    const items = [
      { productId: 'mug-classic', title: 'Classic mug', price: 12.5, itemAmount: 40, categoryId: mugs.id },
      {
        productId: 'mug-travel',
        title: 'Travel mug',
        price: 19,
        variants: colours(26, 90),
        categoryId: mugs.id,
      },
      { productId: 'mug-rare', title: 'Rare mug', price: 80, itemAmount: 2, categoryId: mugs.id },
      { productId: 'vase', title: 'Tall vase', price: 500, itemAmount: 30 },
      ...Array.from({ length: 24 }, (_, i) => ({
        ...{ productId: `nord-${i}`, title: `Nordwind plate ${i}`, price: 20 + i / 4, brandId: nordwind.id },
        ...(i % 8 === 0 ? { variants: colours(50, 50, 30 + i) } : { itemAmount: 60 }),
      })),
    ];
    const made = await store.data('create_products', {
      items: items.map((item) => ({ description: 'Made by hand.', images: IMAGES, ...item })),
    });
    if (made.failed > 0) throw new Error(JSON.stringify(made.items));
    // The first and last half hour of October in the store's time zone.
    const mug = (nth: number) => ({ by: shopper(nth), productId: 'mug-classic' });
    await this.sell('2026-09-30T20:30:00Z', 'DELIVERED', [mug(1)]);
    await this.sell('2026-09-30T21:30:00Z', 'DELIVERED', [mug(2), mug(3)]);
    await this.sell('2026-10-31T22:30:00Z', 'DELIVERED', [mug(1)]);
    const buyers = Array.from({ length: 22 }, (_, i) => shopper(i));
    await this.sell(
      '2026-11-06T09:00:00Z',
      'DELIVERED',
      buyers.map((by) => ({ by, productId: 'mug-travel', variant: 'Blue' })),
    );
    await this.sell(
      '2026-11-09T09:00:00Z',
      'DELIVERED',
      buyers.map((by, i) => ({
        by,
        productId: i < 12 ? 'mug-classic' : `nord-${i}`,
        ...(i === 16 && { variant: 'Red' }),
      })),
    );
    await this.sell('2026-11-10T09:00:00Z', 'DELIVERED', [
      { by: shopper(31, 'Oksana Hrytsenko'), productId: 'nord-1', quantity: 2 },
    ]);
    this.waiting = [
      ...(await this.sell('2026-11-14T09:00:00Z', 'PENDING', [mug(4), mug(5)])),
      ...(await this.sell('2026-11-15T09:00:00Z', 'PROCESSING', [mug(6)])),
    ];
    this.toShip = await this.sell('2026-11-17T09:00:00Z', 'PROCESSING', [mug(7), mug(8), mug(9)]);
    await this.sell('2026-11-17T10:00:00Z', 'PROCESSING', [
      { by: shopper(32, 'Ihor Melnyk'), productId: 'mug-classic', quantity: 2 },
      { by: shopper(33, 'Petro Kravets'), productId: 'nord-2', phone: '+380 67 555-01-99' },
    ]);
    await store.data('update_monetization', {
      cashback: {
        ...{ enabled: true, categoryRates: [], promotions: [], cashbackTrigger: 'on_order_place' },
        levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: 10, levelName: 'Everybody' }],
        maxCashbackPerOrder: 40,
      },
    });
    await this.sell('2026-11-17T11:00:00Z', 'PENDING', [
      { by: shopper(34, 'Maria Bondar'), productId: 'vase' },
    ]);
    await store.data('update_checkout', { fields: FORM });
  }

  /** The ids of the orders that have waited for over two days, and of those whose parcels are ready. */
  waiting: number[];
  toShip: number[];

  /** Orders of two months ago that nobody paid, and three of today. */
  private async neglect(): Promise<void> {
    const { neglected: store, clock } = this;
    clock.set(new Date('2026-09-21T10:00:00Z'));
    const { productId } = await store.product({ productId: 'candle', itemAmount: 500 });
    const place = (nth: number) => store.place({ items: [{ productId, quantity: 1 }] }, shopper(nth % 60));
    for (let i = 0; i < STALE; i++) await place(i);
    clock.set(new Date('2026-11-18T08:00:00Z'));
    for (let i = 0; i < 3; i++) await place(i);
  }
}
