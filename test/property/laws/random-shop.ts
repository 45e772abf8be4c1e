import { FirstContact } from '../../../src/groups/customers/first-contact.service.js';
import { OperationError } from '../../../src/platform/errors.js';
import { currencyExponent } from '../../../src/platform/money.js';
import { UnpaidOrders } from '../../../src/jobs/unpaid-orders.service.js';
import { StorePage } from '../../dashboard/browser.js';
import { RawClient } from '../../mcp/raw-client.js';
import { BotWebhook, MiniApp } from '../../storefront/mini-app.js';
import { eventually } from '../../support/eventually.js';
import type { BotApiServer } from '../../support/servers/bot-api-server.js';
import type { Answer, TestApp, TestClock, TestStore } from '../../support/test-app.js';
import { CODES, SHOPPERS, type Step } from './steps.js';

export interface Surroundings {
  app: TestApp;
  clock: TestClock;
  messenger: BotApiServer;
}

/** What a step did: whether the shop took it, and how many audit rows it owes, or one for each order. */
export interface Outcome {
  isTaken: boolean;
  audited: number | 'each order';
}

const REFUSED: Outcome = { isTaken: false, audited: 0 };
const DONE: Outcome = { isTaken: true, audited: 1 };
const DAY_MS = 24 * 3_600_000;
const NO_PRODUCT = { title: 'x', description: '', images: ['https://images.example/a.jpg'] };

/** A shop with two products, two codes and a bot, which takes steps by every door. */
export class RandomShop {
  /** The pieces that people have put in, by the id of the product or variant. */
  readonly put = new Map<string, number>();
  orderIds: number[] = [];
  private calls = 0;

  private constructor(
    readonly world: Surroundings,
    readonly store: TestStore,
    readonly page: StorePage,
    readonly mcp: RawClient,
    private readonly bot: BotWebhook,
    readonly productIds: string[],
    readonly variantIds: string[],
  ) {}

  static async open(world: Surroundings, currency: string): Promise<RandomShop> {
    const store = await world.app.store({ currency });
    const unit = unitOf(currency);
    const plain = await store.data('create_product', {
      ...NO_PRODUCT,
      ...{ productId: 'plain', price: unit * 11, itemAmount: 20 },
    });
    const values = [7, 13].map((price, i) => ({
      ...{ variantValue: 'SM'[i], price: unit * price, itemAmount: 20 },
    }));
    const variants = [{ optionTitle: 'Size', values }];
    const sized = await store.data('create_product', {
      ...NO_PRODUCT,
      ...{ productId: 'sized', price: unit, variants },
    });
    const percent = { code: CODES[0], discountType: 'PERCENTAGE', discountValue: 15, maxUses: 4 };
    await store.data('create_promocode', percent);
    await store.data('create_promocode', {
      ...{ code: CODES[1], discountType: 'FIXED_AMOUNT', discountValue: unit * 9 },
    });
    const bot = await BotWebhook.connect(store, world.messenger);
    await store.data('update_invoice_field_config', { maxTipAmount: 10 });
    await store.data('create_payment_provider', {
      ...{ providerName: 'card', providerToken: '284685063:TEST:NjQ3YzhkZWU' },
      ...{ isTestMode: false, isActive: true, supportedCurrencies: [currency] },
    });
    const page = await StorePage.ofOwner(store);
    const mcp = new RawClient(world.app, store.tokens.admin);
    const ids = sized.variants[0].values.map(({ id }: { id: string }) => id);
    const shop = new RandomShop(world, store, page, mcp, bot, [plain.id, sized.id], ids);
    for (const id of [plain.id, ...ids]) shop.put.set(id, 20);
    await shop.write('update_monetization', rules({ rate: 10, trigger: 'on_payment', share: 100 }));
    await shop.write('update_checkout', { fields: form(2 * unit, 3 * unit) });
    for (const id of SHOPPERS) {
      await store.inside((ctx) => world.app.nest.get(FirstContact).touch(ctx, { id }));
      await store.data('adjust_bonus', { customerId: id, delta: 40 * unit });
    }
    return shop;
  }

  /** @throws an error for any answer that is neither a success nor a plain refusal */
  async take(step: Step): Promise<Outcome> {
    const orderId = 'order' in step ? this.orderIds[step.order % Math.max(1, this.orderIds.length)] : 0;
    if (orderId === undefined) return REFUSED;
    const { unit } = this;
    switch (step.do) {
      case 'place':
        return this.place(step);
      case 'status':
        return this.write('set_order_status', { orderId, status: step.to });
      case 'ship':
        return this.write('ship_order', { orderId, carrier: step.carrier });
      case 'refund':
        return this.write('refund_order', { orderId, reason: 'why not' });
      case 'delete':
        return this.write('delete_order', { orderId, confirm: true });
      case 'note':
        return this.write('add_order_note', { orderId, note: 'seen' });
      case 'items': {
        const body = { items: step.lines.map((line) => this.item(line)) };
        return outcomeOf(await this.page.send('PUT', `orders/${orderId}/items`, body));
      }
      case 'pay':
        return this.pay(orderId, step.tip);
      case 'expire':
        return this.expire();
      case 'bonus':
        return this.write('adjust_bonus', { customerId: SHOPPERS[step.shopper], delta: step.delta * unit });
      case 'stock':
        return this.write('update_stock', { ...this.sold(step.article), delta: step.delta }, (data) =>
          this.move(step.article, data),
        );
      case 'stocks': {
        const items = [{ ...this.sold(step.article), absolute: step.absolute }];
        return this.write('update_stocks', { items }, ({ items: [item] }) => this.move(step.article, item));
      }
      case 'price': {
        const salePrice = step.sale === null ? null : step.sale * unit;
        const change = { ...this.sold(step.article), price: step.amount * unit, salePrice };
        return this.write('update_prices', { items: [change] });
      }
      case 'code': {
        const { items } = await this.store.data('list_promocodes');
        return this.write('toggle_promocode', { id: items[step.code].id, active: step.active });
      }
      case 'rules':
        return this.write('update_monetization', rules(step));
      case 'form':
        return this.write('update_checkout', { fields: form(step.plus * unit, step.minus * unit) });
      case 'mode':
        return this.write('update_checkout', { mode: step.mode });
      case 'wait':
        this.world.clock.advance(step.ms);
        return REFUSED;
    }
  }

  /** Every other call goes by MCP. */
  private async write(operation: string, input: object, done?: (data: any) => void): Promise<Outcome> {
    const body =
      ++this.calls % 2 === 0
        ? (await this.mcp.call(operation, input)).structuredContent
        : (await this.store.call(operation, input)).body;
    const outcome = outcomeOf({ body });
    if (outcome.isTaken) done?.(body.data);
    return outcome;
  }

  private async place(step: Extract<Step, { do: 'place' }>): Promise<Outcome> {
    const order = {
      items: step.lines.map((line) => this.item(line)),
      paymentMethod: step.method,
      promocode: step.code === null ? null : CODES[step.code],
      bonusToSpend: step.bonus * this.unit,
      tipAmount: step.tip,
      checkoutData: [{ id: 'delivery', label: '', type: 'text', value: step.delivery }],
    };
    const id = SHOPPERS[step.shopper];
    if (step.door === 'storefront') {
      const shopper = new MiniApp(this.store, { id, first_name: 'Ann' }, { at: this.world.clock.now() });
      return outcomeOf(await shopper.order(order));
    }
    try {
      await this.store.place(order, { id }, step.paid);
      // The command line writes the audit row, and it is not run here.
      return { isTaken: true, audited: 0 };
    } catch (error) {
      if (error instanceof OperationError) return REFUSED;
      throw error;
    }
  }

  /** Pays by the messenger what the shop accepts at pre-checkout. */
  private async pay(orderId: number, tip: number): Promise<Outcome> {
    const order = await this.store.data('get_order', { orderId });
    const payer = order.messengerUserId ?? order.customerId;
    const due = order.totalPrice - (order.tipAmount ?? 0);
    const terms = {
      ...{ currency: this.store.currency, total_amount: due + tip, invoice_payload: `${orderId}:${due}` },
    };
    const { messenger } = this.world;
    const asked = messenger.callsOf('answerPreCheckoutQuery').length;
    const query = JSON.stringify({ id: `q${++this.calls}`, ...terms }).slice(1);
    await this.bot.send(
      `{"update_id":${this.calls},"pre_checkout_query":{"from":{"id":${payer},"is_bot":false},${query}}`,
    );
    await eventually('an answer', () => messenger.callsOf('answerPreCheckoutQuery').length > asked);
    if (messenger.callsOf('answerPreCheckoutQuery')[asked].body.ok !== true) return REFUSED;
    const charge = { telegram_payment_charge_id: `c${this.calls}`, provider_payment_charge_id: 'p' };
    await this.bot.message(payer, { successful_payment: { ...terms, ...charge } });
    return DONE;
  }

  private async expire(): Promise<Outcome> {
    this.world.clock.advance(DAY_MS + 1);
    // The session has ended meanwhile.
    await this.page.browser.signIn(this.store.ownerEmail);
    await this.world.app.nest.get(UnpaidOrders).end();
    return { isTaken: true, audited: 'each order' };
  }

  /** People moved stock. */
  private move(article: number, change: { itemAmount?: number; previousItemAmount?: number }): void {
    if (change.itemAmount === undefined) return;
    const id = this.articleId(article);
    this.put.set(id, this.put.get(id)! + change.itemAmount - change.previousItemAmount!);
  }

  articleId = (article: number) => (article === 0 ? this.productIds[0] : this.variantIds[article - 1]);

  private sold = (article: number) =>
    article === 0 ? { productId: 'plain' } : { productId: 'sized', variantId: this.variantIds[article - 1] };

  private item = ({ article, quantity }: { article: number; quantity: number }) => ({
    ...this.sold(article),
    quantity,
  });

  private get unit(): number {
    return unitOf(this.store.currency);
  }
}

/** The least amount of a currency that bonus can represent too. */
const unitOf = (currency: string) => (currencyExponent(currency) === 0 ? 1 : 0.5);

function outcomeOf({ body }: Pick<Answer, 'body'>): Outcome {
  if (body.ok) return DONE;
  if (['invalid_input', 'not_found'].includes(body.error!.code)) return REFUSED;
  throw new Error(`${body.error!.code}: ${body.error!.message}`);
}

const rules = ({ rate, trigger, share }: Omit<Extract<Step, { do: 'rules' }>, 'do'>) => ({
  bonus: { maxPercentage: share, mutualExclusivityWithPromocode: false },
  cashback: {
    enabled: rate > 0,
    levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: rate, levelName: 'All' }],
    ...{ categoryRates: [], promotions: [], maxCashbackPerOrder: null, cashbackTrigger: trigger },
  },
});

function form(plus: number, minus: number): object[] {
  const field = { type: 'text', required: false, defaultVisible: true };
  const condition = (value: string, action: string, operator: string, amount: number) => ({
    ...{ dependsOn: 'delivery', operator: 'equals', value, action },
    priceAdjustment: { operator, value: amount },
  });
  const conditions = [
    ...(plus > 0 ? [condition('courier', 'increase_price', 'add', plus)] : []),
    ...(minus > 0 ? [condition('pickup', 'decrease_price', 'subtract', minus)] : []),
  ];
  return [
    { ...field, id: 'delivery', label: 'Delivery' },
    { ...field, id: 'fee', label: 'Fee', conditions },
  ];
}
