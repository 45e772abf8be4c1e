import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { OperationError } from '../../../src/platform/errors.js';
import { currencyExponent } from '../../../src/platform/money.js';
import { UnpaidOrders } from '../../../src/jobs/unpaid-orders.service.js';
import { StorePage } from '../../doors/dashboard/browser.js';
import { RawClient } from '../../doors/mcp/raw-client.js';
import { BotWebhook, MiniApp } from '../../doors/storefront/mini-app.js';
import { eventually } from '../../support/eventually.js';
import { EXAMPLES } from '../../support/examples.js';
import type { BotApiServer } from '../../support/servers/bot-api-server.js';
import type { Answer, TestApp, TestClock, TestStore } from '../../support/test-app.js';
import type { Gone, Seen } from './look.js';
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
  /** Minor units: the invoice's total without tip, what was paid, and the highest tip. */
  payment?: { orderId: number; total: number; paid: number; mostTip: number };
  /** The product whose stock is counted again. */
  counted?: string;
}

const REFUSED: Outcome = { isTaken: false, audited: 0 };
const DONE: Outcome = { isTaken: true, audited: 1 };
const DAY_MS = 24 * 3_600_000;
const NO_PRODUCT = { title: 'x', description: '', images: ['https://images.example/a.jpg'] };

/** A shop with two products, two codes and a bot, which takes steps by every door. */
export class RandomShop {
  /** The pieces that people have put in, by the id of the product or variant. */
  readonly put = new Map<string, number>();
  /** What it showed after the last step. */
  seen: Pick<Seen, 'orders' | 'customers'> = { orders: [], customers: [] };
  private calls = 0;
  private last: { call: () => Promise<Answer>; answer: Answer } | null = null;
  private recounted: string | undefined;
  private prepared: { name: string; input: object } | null = null;
  /** The invoices that the messenger made, by the order's number. */
  private readonly invoices = new Map<number, { payload: string; total: number; due: number }>();

  private constructor(
    readonly world: Surroundings,
    readonly store: TestStore,
    readonly page: StorePage,
    readonly mcp: RawClient,
    private bot: BotWebhook,
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
    const percent = { code: CODES[0], discountType: 'PERCENTAGE', discountValue: 15, maxUses: 12 };
    await store.data('create_promocode', percent);
    await store.data('create_promocode', {
      ...{ code: CODES[1], discountType: 'FIXED_AMOUNT', discountValue: unit * 9 },
    });
    const bot = await BotWebhook.connect(store, world.messenger);
    await store.data('update_invoice_field_config', { maxTipAmount: 3_000 });
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
      const link = id === SHOPPERS[2] ? ` ref_${SHOPPERS[0]}` : '';
      await bot.message(id, { text: `/start${link}` });
      await store.data('adjust_bonus', { customerId: id, delta: 40 * unit });
    }
    return shop;
  }

  /** The newest first. */
  get orderIds(): number[] {
    return this.seen.orders.map(({ id }) => Number(id));
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
      case 'statuses': {
        const orderIds = step.orders.flatMap((nth) => this.orderIds[nth % this.orderIds.length] ?? []);
        const answer = await this.page.send('POST', 'orders/bulk-status', { orderIds, status: step.to });
        return { ...outcomeOf(answer), audited: answer.body.ok ? 1 + new Set(orderIds).size : 0 };
      }
      case 'pay':
        return this.pay(orderId, step);
      case 'greet': {
        const id = SHOPPERS[step.shopper];
        await (step.blocks ? this.bot.membership(id, 'kicked') : this.bot.message(id, { text: '/start' }));
        return { isTaken: true, audited: 0 };
      }
      case 'track': {
        const outcome = await this.write('update_product', {
          id: this.productIds[0],
          itemAmount: step.amount,
        });
        return step.amount === null ? outcome : { ...outcome, counted: this.productIds[0] };
      }
      case 'again':
        return this.again();
      case 'cut':
        return this.cut({ orderId, status: step.to });
      case 'any':
        return this.any();
      case 'expire':
        return this.expire();
      case 'bonus': {
        const customerId = SHOPPERS[step.shopper];
        const delta = step.delta === 'nothing left' ? -this.balanceOf(customerId) : step.delta * unit;
        return delta === 0 ? REFUSED : this.write('adjust_bonus', { customerId, delta });
      }
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

  /** Calls go by each door in turn. */
  private async write(operation: string, input: object, done?: (data: any) => void): Promise<Outcome> {
    const nth = ++this.calls;
    const answer = await [
      async () => ({ body: (await this.mcp.call(operation, input)).structuredContent }),
      () => this.page.send('POST', `operations/${operation}`, input),
      () => this.keyed(`k${nth}`, operation, input),
    ][nth % 3]();
    const outcome = outcomeOf(answer);
    this.recounted = undefined;
    if (outcome.isTaken) done?.(answer.body.data);
    return { ...outcome, counted: this.recounted };
  }

  /** Calls with an Idempotency-Key, by which the call can be repeated. */
  private async keyed(key: string, operation: string, input: object): Promise<Answer> {
    const call = () => this.store.call(operation, input, { headers: { 'Idempotency-Key': key } });
    const answer = await call();
    if (answer.body.ok) this.last = { call, answer };
    return answer;
  }

  /** The answer was lost: the call is repeated with its key. */
  private async again(): Promise<Outcome> {
    if (!this.last) return REFUSED;
    const { body } = await this.last.call();
    if (JSON.stringify(body) !== JSON.stringify(this.last.answer.body)) throw new Error('another answer');
    return REFUSED;
  }

  /** The database ends its connections during the call; then the call is repeated until it is answered. */
  private async cut(input: object): Promise<Outcome> {
    const { app } = this.world;
    const key = `k${++this.calls}`;
    const first = this.keyed(key, 'set_order_status', input);
    await app.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`);
    await first.catch(() => undefined);
    let answer: Answer | undefined;
    await eventually('an answer', async () => {
      answer = await this.keyed(key, 'set_order_status', input);
      return answer.status < 500;
    });
    return outcomeOf(answer!);
  }

  /** Makes what another operation needs. @see any */
  async prepare(nth: number): Promise<void> {
    const names = Object.keys(EXAMPLES).filter((name) => !OWN_STEPS.includes(name));
    const name = names[nth % names.length];
    // The examples have amounts with decimals, which not every currency has.
    this.prepared = await EXAMPLES[name](this.store).then(
      (input) => ({ name, input }),
      () => null,
    );
    this.bot = await BotWebhook.connect(this.store, this.world.messenger);
  }

  private async any(): Promise<Outcome> {
    if (!this.prepared) return REFUSED;
    const { name, input } = this.prepared;
    const { audited } = this.world.app.nest.get(OperationRegistry).find(name)!;
    const outcome = await this.write(name, input);
    return { ...outcome, audited: audited && outcome.isTaken ? 1 : 0 };
  }

  /** Stock is counted anew: what people have put in is what is there, and what was sold before. */
  count(id: string, after: Seen, gone: Gone): void {
    const { itemAmount } = after.products.find((product) => product.id === id)!;
    const held = after.holdings.reduce((sum, { stock }) => sum + (stock[id] ?? 0), 0);
    this.put.set(id, itemAmount + held + (gone.stock.get(id) ?? 0));
  }

  private async place(step: Extract<Step, { do: 'place' }>): Promise<Outcome> {
    const id = SHOPPERS[step.shopper];
    const shopper = new MiniApp(this.store, { id, first_name: 'Ann' }, { at: this.world.clock.now() });
    const order = {
      items: step.lines.map((line) => this.item(line)),
      paymentMethod: step.method,
      promocode: step.code === null ? null : CODES[step.code],
      bonusToSpend: step.bonus === 'all' ? 0 : step.bonus * this.unit,
      tipAmount: step.tip,
      checkoutData: [{ id: 'delivery', label: '', type: 'text', value: step.delivery }],
    };
    if (step.bonus === 'all') {
      const { body } = await shopper.send('POST', 'orders/quote', order);
      if (!body.ok) return outcomeOf({ body });
      const due = (body.data.total - body.data.tip) / 10 ** currencyExponent(this.store.currency);
      order.bonusToSpend = Math.min(this.balanceOf(id), Math.floor(due));
    }
    if (step.door === 'storefront') {
      const made = this.world.messenger.callsOf('createInvoiceLink').length;
      const answer = await shopper.order(order);
      for (const { body } of this.world.messenger.callsOf('createInvoiceLink').slice(made)) {
        const { id, totalPrice, tipAmount } = answer.body.data;
        const due = body.prices.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
        if (due !== totalPrice) throw new Error(`an invoice of ${due} for an order of ${totalPrice}`);
        this.invoices.set(id, { payload: body.payload, total: totalPrice - (tipAmount ?? 0), due });
      }
      return outcomeOf(answer);
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
  private async pay(named: number, step: Extract<Step, { do: 'pay' }>): Promise<Outcome> {
    const open = this.seen.orders.filter(({ status }) => status === 'PENDING').map(({ id }) => Number(id));
    const invoiced = open.filter((id) => this.invoices.has(id));
    const orderId = (step.first && invoiced[step.order % invoiced.length]) || named;
    const order = await this.store.data('get_order', { orderId });
    const { maxTipAmount } = await this.store.data('get_invoice_field_config');
    const payer = order.messengerUserId;
    const ownTip = order.tipAmount ?? 0;
    const total = order.totalPrice - ownTip;
    const present = { payload: `${orderId}:${total}`, total, due: order.totalPrice };
    const invoice = (step.first && this.invoices.get(orderId)) || present;
    const paid = invoice.due + step.tip;
    const terms = {
      ...{ currency: this.store.currency, total_amount: paid, invoice_payload: invoice.payload },
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
    const mostTip = Math.max(maxTipAmount ?? 0, ownTip);
    return { ...DONE, payment: { orderId, total: invoice.total, paid, mostTip } };
  }

  private async expire(): Promise<Outcome> {
    this.world.clock.advance(DAY_MS + 1);
    // Keys are kept for a day.
    this.last = null;
    // The session has ended meanwhile.
    await this.page.browser.signIn(this.store.ownerEmail);
    await this.world.app.nest.get(UnpaidOrders).end();
    return { isTaken: true, audited: 'each order' };
  }

  /** People moved stock. */
  private move(article: number, change: { itemAmount?: number; previousItemAmount?: number | null }): void {
    if (change.itemAmount === undefined) return;
    const id = this.articleId(article);
    if (change.previousItemAmount === null) this.recounted = id;
    else this.put.set(id, this.put.get(id)! + change.itemAmount - change.previousItemAmount!);
  }

  articleId = (article: number) => (article === 0 ? this.productIds[0] : this.variantIds[article - 1]);

  private sold = (article: number) =>
    article === 0 ? { productId: 'plain' } : { productId: 'sized', variantId: this.variantIds[article - 1] };

  private item = ({ article, quantity }: { article: number; quantity: number }) => ({
    ...this.sold(article),
    quantity,
  });

  private balanceOf(id: string): number {
    return this.seen.customers.find((customer) => String(customer.id) === id)?.bonusBalance ?? 0;
  }

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

/** Operations that have steps of their own, and those whose examples would change what the steps rely on. */
const OWN_STEPS = [
  'update_monetization',
  'get_monetization',
  'update_checkout',
  'get_checkout',
  'list_invoices',
];

const rules = ({ rate, trigger, share }: Omit<Extract<Step, { do: 'rules' }>, 'do'>) => ({
  bonus: { maxPercentage: share, mutualExclusivityWithPromocode: false },
  referral: { referralJoinBonus: 1, referrerOrderBonus: 1, referrerBonusFrequency: 'every_order' },
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
