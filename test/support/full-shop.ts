import { Receiver } from './servers/receiver.js';
import { OrderPlacing } from '../../src/groups/orders/placing/order-placing.service.js';
import type { PlaceOrderInput } from '../../src/groups/orders/placing/place-order.dto.js';
import { StoreDatabase } from '../../src/platform/store/store-context.js';
import { Stores } from '../../src/stores/stores.service.js';
import { SecretBox } from '../../src/platform/crypto/secret-box.js';
import { sealedColumns } from '../../src/platform/crypto/sealed-columns.js';
import { verify } from '../../src/webhooks/delivery/signature.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { BotApiServer } from './servers/bot-api-server.js';
import { emptyTables, fillEmptyTables } from './database/every-table.js';
import type { TestDatabase } from './database/own-database.js';
import { ownerQuery, TestApp, type TestStore } from './test-app.js';

const BOT_TOKEN = '123456789:AAHfiqksKZ8WmR2zSjiQ7_TestTokenOfTheBot12';

/**
 * A shop that has used every feature: with a row in every table, secrets of every kind, and its own receiver
 * and messenger.
 */
export class FullShop {
  private constructor(
    readonly id: string,
    readonly tokens: TestStore['tokens'],
    readonly email: string,
    readonly order: any,
    readonly secret: string,
    private readonly receiver: Receiver,
    private readonly botApi: BotApiServer,
  ) {}

  static async create(database: TestDatabase, encryptionKeys: string[]): Promise<FullShop> {
    const [receiver, botApi] = [await Receiver.start(), await BotApiServer.start()];
    const app = await TestApp.start({
      database,
      encryptionKeys,
      env: { MESSENGER_API_ROOT: botApi.apiRoot, SHOP_ROLES: 'web,deliver' },
    });
    const store = await app.store({ name: 'Full shop' });
    const endpoints = app.nest.get(WebhookEndpoints);
    await store.inside((ctx) => endpoints.save(ctx, receiver.url));
    const { secret } = await store.inside((ctx) => endpoints.rotateSecret(ctx, { overlap: true }));
    await store.data('create_product', PRODUCT);
    const order = await store.place(
      { items: [{ productId: 'tee', quantity: 2 }] },
      { id: '9007199254740993', firstName: 'Olena' },
    );
    await receiver.waitFor(1);
    await store.data('connect_bot', { token: BOT_TOKEN });
    await store.data('create_payment_provider', PROVIDER);
    await store.data('update_checkout', { mode: 'manual', fields: [BUTTON] });
    await app.stop();
    await ownerQuery(
      'update products set images = images || $2::text where store_id = $1',
      [store.id, `https://shop.example/pictures/${store.id}/0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07.png`],
      database.ownerUrl,
    );
    await fillEmptyTables(database.ownerUrl, store.id);
    const empty = await emptyTables(database.ownerUrl, store.id);
    if (empty.length > 0) throw new Error(`nothing is in ${empty.join(', ')}`);
    await sealWhatIsNot(database.ownerUrl, encryptionKeys);
    return new FullShop(store.id, store.tokens, store.ownerEmail, order, secret, receiver, botApi);
  }

  /**
   * Starts the service on a database that must contain this shop, and tries everything that a shop relies on.
   */
  async mustWork(database: TestDatabase, encryptionKeys: string[]): Promise<void> {
    const env = { MESSENGER_API_ROOT: this.botApi.apiRoot, SHOP_ROLES: 'web,deliver' };
    const app = await TestApp.start({ database, encryptionKeys, env });
    try {
      const call = async (operation: string, input: object = {}) => {
        const { body } = await app.post(`/v1/${operation}`, input, {
          Authorization: `Bearer ${this.tokens.admin}`,
        });
        if (!body.ok) throw new Error(`${operation}: ${body.error!.message}`);
        return body.data;
      };
      const { status, ...order } = await call('get_order', { orderId: this.order.id });
      expect(order).toMatchObject({ items: this.order.items, totalPrice: this.order.totalPrice });
      await this.mustGoOnCounting(app);
      const before = this.receiver.received.length;
      await call('set_order_status', {
        orderId: this.order.id,
        status: status === 'DELIVERED' ? 'PENDING' : 'DELIVERED',
      });
      const request = (await this.receiver.waitFor(before + 1))[before];
      expect(verify(this.secret, request.body, String(request.headers['x-shop-signature']))).toBe(true);
      const sent = this.botApi.calls.length;
      await call('ship_order', { orderId: this.order.id, carrier: 'DHL', notify: true });
      expect(this.botApi.calls[sent].token).toBe(BOT_TOKEN);
      expect(await call('list_customers', { search: 'olena' })).toMatchObject({
        items: [{ id: '9007199254740993' }],
      });
      await call('create_product', { ...PRODUCT, productId: `new-${Math.random()}` });
      const signIn = await app.post('/dashboard/api/auth/sign-in', {
        email: this.email,
        password: 'correct horse battery',
      });
      expect(signIn.status).toBe(200);
      await everySecretOpens(database.ownerUrl, encryptionKeys);
    } finally {
      await app.stop();
    }
  }

  /** The next order has the next id of this store, and its webhook. */
  private async mustGoOnCounting(app: TestApp): Promise<void> {
    const [{ last, variantId }] = await app.query<{ last: string; variantId: string }>(
      `select last::text, v.id as "variantId" from order_counters join variants v using (store_id)
       where store_id = $1`,
      [this.id],
    );
    const received = this.receiver.received.length;
    const principal = await app.nest.get(Stores).operator(this.id);
    const items = [{ productId: PRODUCT.productId, variantId, quantity: 1 }];
    const input = { paymentMethod: 'cash', items } as PlaceOrderInput;
    const placed = await app.nest
      .get(StoreDatabase)
      .inStore(principal, (ctx) => app.nest.get(OrderPlacing).place(ctx, { id: '77' }, input, false));
    expect(Number(placed.id)).toBe(Number(last) + 1);
    await this.receiver.waitFor(received + 1);
  }

  async stop(): Promise<void> {
    await Promise.all([this.receiver.stop(), this.botApi.close()]);
  }
}

const PRODUCT = {
  productId: 'tee',
  title: 'Tee',
  description: '',
  images: ['https://images.example/1.jpg'],
  price: 20,
};
const PROVIDER = {
  providerName: 'card',
  providerToken: '284685063:TEST:Zm9vYmFyYmF6',
  isTestMode: true,
  isActive: true,
  supportedCurrencies: ['USD'],
  metadata: { apiKey: 'api-key-cccc', keyId: 'plain' },
};
const BUTTON = {
  id: 'pay',
  label: 'Pay',
  type: 'payment_button',
  required: false,
  defaultVisible: true,
  content: JSON.stringify({ apiKey: 'button-key-1234' }),
};

interface Sealed {
  row: Record<string, string>;
  value: string;
}

async function sealedValues(ownerUrl: string, table: string, column: string): Promise<Sealed[]> {
  return ownerQuery<Sealed & Record<string, unknown>>(
    `select to_jsonb(t) as row, ${column}::text as value from ${table} t where ${column} is not null`,
    [],
    ownerUrl,
  );
}

/** Seals the columns of generated rows, which contain random text instead of sealed values. */
async function sealWhatIsNot(ownerUrl: string, encryptionKeys: string[]): Promise<void> {
  const secrets = new SecretBox(encryptionKeys);
  for (const { table, column, purpose } of sealedColumns()) {
    for (const { row, value } of await sealedValues(ownerUrl, table, column)) {
      if (!/^text /.test(value)) continue;
      await ownerQuery(
        `update ${table} set ${column} = $1 where ${column} = $2`,
        [secrets.seal('x', purpose(row)), value],
        ownerUrl,
      );
    }
  }
}

/** Opens every sealed value with only these keys. */
export async function everySecretOpens(ownerUrl: string, encryptionKeys: string[]): Promise<void> {
  const secrets = new SecretBox(encryptionKeys);
  for (const { table, column, purpose } of sealedColumns()) {
    const values = await sealedValues(ownerUrl, table, column);
    for (const { row, value } of values) {
      for (const [sealed] of value.matchAll(/\b[0-9a-f]{8}\.[A-Za-z0-9+/]{38,}={0,2}/g))
        secrets.open(sealed, purpose(row));
    }
  }
}
