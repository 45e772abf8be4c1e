import { Visits } from '../../groups/analytics/visits.service.js';
import { CustomersService } from '../../groups/customers/customers.service.js';
import { FirstContact } from '../../groups/customers/first-contact.service.js';
import { OrdersService } from '../../groups/orders/orders.service.js';
import { OrderChanges } from '../../groups/orders/changing/order-changes.service.js';
import { OrderNotes } from '../../groups/orders/changing/order-notes.service.js';
import type { OrderRecord } from '../../groups/orders/order/order.record.js';
import { NOTE_MESSAGE } from '../../groups/orders/order/order.statements.js';
import { OrderPlacing } from '../../groups/orders/placing/order-placing.service.js';
import type { PaymentOutcome } from '../../groups/payments/payments.dto.js';
import { ReceivedPayments } from '../../groups/payments/received-payments.service.js';
import { unusableReason } from '../../groups/promocodes/discount.js';
import { PromocodesService } from '../../groups/promocodes/promocodes.service.js';
import { newId } from '../../platform/ids.js';
import type { Actor } from '../../platform/store/call.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { Services } from '../cli/command.js';
import { DAY, HOUR, MINUTE, type Past } from './past.js';
import type { DemoCustomer } from './people.js';
import type { Random } from './random.js';
import { BANNED_SINCE, HISTORY_DAYS, type PlannedOrder, type Step } from './shopping.js';

/** Adjustments of bonus: place in the list of customers, hours ago, amount, reason. */
const ADJUSTMENTS = [
  [1, 70 * 24, 10, 'For the photo of the month'],
  [1, 70 * 24 - 2, -3, 'Entered wrongly'],
  [4, 41 * 24, 5, 'Parcel was late'],
  [9, 12 * 24, 7.5, 'Birthday'],
  [0, 30, 15, 'Thank you for five years'],
] as const;
const NOTES = [
  'Called: will be at home after six.',
  'Pack it as a present, with a card.',
  'The address was corrected by phone.',
  'Second parcel follows next week.',
  'Asked for an invoice to a company.',
];
/** The part of an order, in percent, that shoppers pay with bonus: less than the shop allows. */
const BONUS_SHARE = 0.25;

/** An order that was placed. */
interface PlacedOrder extends PlannedOrder {
  id: number;
  total: number;
}

const shopperOf = ({ id, firstName }: DemoCustomer): Actor => ({ kind: 'shopper', id, name: firstName });

/** Plans what shoppers and the shop do with each other, from the first visit to the last parcel. */
export class History {
  constructor(
    private readonly past: Past,
    private readonly app: Services,
    private readonly random: Random,
    private readonly warehouse: Actor,
  ) {}

  plan(customers: DemoCustomer[], orders: PlannedOrder[]): void {
    const { past, app } = this;
    for (const customer of customers) this.planVisits(customer);
    for (const order of orders) this.planOrder(order);
    for (const [place, hours, delta, reason] of ADJUSTMENTS) {
      const input = { customerId: customers[place].id, delta, reason };
      const adjust = (ctx: StoreContext) => app.get(CustomersService).adjustBonus(ctx, input);
      past.planCall(past.ago(hours * HOUR), 'adjust_bonus', input, adjust);
    }
    const [first] = orders as PlacedOrder[];
    past.plan(past.ago(20 * DAY), (at) => this.pay(at, first.customer, 'unknown_order'));
    past.plan(past.ago(10 * DAY), (at) => this.pay(at, first.customer, 'not_pending', first));
  }

  private planVisits(customer: DemoCustomer): void {
    const { past, app, random } = this;
    const { id, joinedAt, referrer, isBanned } = customer;
    const visit = (at: number) =>
      past.do(at, shopperOf(customer), async (ctx) => {
        const known = app.get(FirstContact).touch(ctx, customer, referrer?.id);
        await Promise.all([known, app.get(Visits).record(ctx, id)]);
      });
    past.plan(joinedAt, visit);
    for (let day = HISTORY_DAYS; day > 0; day--) {
      const at = Math.round(past.ago((day - random.next()) * DAY));
      if (at > joinedAt && !isBanned && random.chance(0.12)) past.plan(at, visit);
    }
    if (!isBanned) return;
    const input = { id, isBanned };
    const ban = (ctx: StoreContext) => app.get(CustomersService).update(ctx, input);
    past.planCall(past.ago(BANNED_SINCE), 'update_customer', input, ban);
  }

  private planOrder(planned: PlannedOrder): void {
    const { past, app, random } = this;
    const order = planned as PlacedOrder;
    past.plan(order.placedAt, (at) => this.place(at, order));
    for (const step of order.steps) {
      const isNotified = step.status === 'SHIPPED' && random.chance(0.8);
      past.plan(step.at, (at) => this.take(at, step, order, isNotified));
    }
    if (!random.chance(0.1)) return;
    const note = random.pick(NOTES);
    past.plan(order.placedAt + random.integer(10, 600) * MINUTE, (at) => {
      const input = { orderId: order.id, note };
      return past.call(at, 'add_order_note', input, (ctx) => app.get(OrderNotes).add(ctx, input));
    });
  }

  private place(at: number, order: PlacedOrder): Promise<void> {
    const { customer, lines, paymentMethod, checkoutData, tipAmount } = order;
    const work = async (ctx: StoreContext) => {
      const name = [customer.firstName, customer.lastName].filter((part) => part !== null).join(' ');
      const input = {
        ...{ paymentMethod, checkoutData, tipAmount },
        items: lines.map(({ goods: { productId, optionTitle, variantValue }, quantity }) => ({
          ...{ productId, optionTitle, variantValue, quantity },
        })),
        shippingAddress: { name, phone_number: customer.phone },
        promocode: await this.usable(ctx, order.promocode),
        bonusToSpend: await this.bonusFor(ctx, order),
      };
      const placing = this.app.get(OrderPlacing).place(ctx, customer, input, false);
      const [{ json }] = await Promise.all([placing, this.app.get(Visits).record(ctx, customer.id)]);
      const placed = JSON.parse(json.text) as OrderRecord;
      [order.id, order.total] = [placed.id, placed.totalPrice];
    };
    return this.past.call(at, 'order.place', {}, work, { actor: shopperOf(customer), transport: 'http' });
  }

  /** The code, unless it has expired or is used up: the order is then placed without it. */
  private async usable(ctx: StoreContext, code: string | null): Promise<string | null> {
    if (code === null) return null;
    const [promocode] = await this.app.get(PromocodesService).startingWith(ctx, code, 1);
    const { maxUses, usedCount } = promocode;
    const counts = { maxUses: maxUses === null ? null : Number(maxUses), usedCount: Number(usedCount) };
    return unusableReason({ ...promocode, ...counts }, ctx.now()) === null ? code : null;
  }

  /** Whole units of the currency. A promocode and bonus exclude each other. */
  private async bonusFor(
    ctx: StoreContext,
    { customer, lines, promocode, spendsBonus }: PlannedOrder,
  ): Promise<number | null> {
    if (!spendsBonus || promocode !== null) return null;
    const { bonusBalance } = await this.app.get(CustomersService).get(ctx, customer.id);
    const sum = lines.reduce((total, { goods, quantity }) => total + goods.price * quantity, 0);
    return Math.floor(Math.min(Number(bonusBalance), sum * BONUS_SHARE));
  }

  private take(at: number, step: Step, order: PlacedOrder, isNotified: boolean): Promise<unknown> {
    const { past, app, warehouse } = this;
    const { id: orderId, total: amount, customer } = order;
    const { status, tracking, reason } = step;
    const changes = app.get(OrderChanges);
    if (step.by === 'payment') return this.pay(at, customer, 'accepted', order);
    if (tracking) {
      const ship = async (ctx: StoreContext) => {
        await changes.recordShipment(ctx, orderId, tracking);
        const outcome = customer.isBotBlocked ? 'unreachable' : 'sent';
        const message = {
          id: newId(),
          orderId,
          kind: 'shipped',
          ...{ outcome, detail: null },
          sentBy: ctx.actor.name,
          createdAt: ctx.now(),
        };
        if (isNotified) ctx.session.enqueue(NOTE_MESSAGE, message);
      };
      return past.call(at, 'ship_order', { orderId, ...tracking }, ship, {
        actor: warehouse,
        transport: 'http',
      });
    }
    if (reason) {
      const input = { orderId, amount, reason };
      return past.call(at, 'refund_order', input, (ctx) => app.get(OrdersService).refund(ctx, input));
    }
    const set = (ctx: StoreContext) => changes.changeStatus(ctx, orderId, status);
    const by = step.by === 'warehouse' ? { actor: warehouse, transport: 'http' as const } : {};
    return past.call(at, 'set_order_status', { orderId, status }, set, by);
  }

  /** A payment that the messenger reports. */
  private pay(at: number, payer: DemoCustomer, outcome: PaymentOutcome, order?: PlacedOrder): Promise<void> {
    const chargeId = `demo_charge_${at}`;
    const amount = order?.total ?? 990;
    const receive = async (ctx: StoreContext) => {
      const orderId = order ? String(order.id) : null;
      const payment = {
        chargeId,
        providerChargeId: `demo_${at}`,
        payerId: payer.id,
        invoicePayload: orderId ?? '0',
      };
      const payments = this.app.get(ReceivedPayments);
      // What does not fit was paid with details that the shop may need.
      const orderInfo = outcome === 'accepted' ? null : { name: payer.firstName, phone_number: payer.phone };
      await payments.keep(ctx, { ...payment, orderId, currency: ctx.currency, amount, outcome, orderInfo });
      if (outcome === 'accepted') {
        const { shippingAddress } = (await payments.payable(ctx, orderId))!;
        payments.apply(ctx, orderId!, { shippingAddress, tip: 0n, amount });
        await this.app.get(OrderChanges).changeStatus(ctx, order!.id, 'PROCESSING');
      }
      ctx.audit.action = `payment.${outcome}`;
      ctx.audit.target ??= `order:${orderId ?? '0'}`;
    };
    const by = { actor: shopperOf(payer), transport: 'http' as const };
    return this.past.call(at, 'payment.receive', { currency: 'USD', amount, chargeId }, receive, by);
  }
}
