import type { CheckoutRow } from '../../groups/orders/placing/place-order.dto.js';
import type { OrderStatus } from '../../groups/order-status.js';
import type { Tracking } from '../../groups/orders/changing/order-changes.service.js';
import { type Goods, GOODS } from './catalog.js';
import { DAY, HOUR, MINUTE } from './past.js';
import type { DemoCustomer } from './people.js';
import type { Random } from './random.js';

/** A change of an order's status, and who makes it. */
export interface Step {
  at: number;
  status: OrderStatus;
  by: 'owner' | 'warehouse' | 'payment';
  tracking?: Tracking;
  /** The reason of a refund, if the step is one. */
  reason?: string;
}

/** An order as its shopper wants it, and the steps that follow. */
export interface PlannedOrder {
  customer: DemoCustomer;
  placedAt: number;
  lines: { goods: Goods; quantity: number }[];
  paymentMethod: string;
  checkoutData: CheckoutRow[];
  promocode: string | null;
  spendsBonus: boolean;
  /** In minor units. */
  tipAmount: number | null;
  steps: Step[];
}

export const HISTORY_DAYS = 90;
/**
 * The number of orders on each day of a week. With three or more, no calendar day of the window is without an
 * order.
 */
const ORDERS_A_DAY = [3, 3, 3, 4, 3, 4, 4];
/** The banned shopper places no orders after this time. */
export const BANNED_SINCE = 14 * DAY;

const METHODS = [
  ...Array<string>(6).fill('card'),
  ...Array<string>(3).fill('cash on delivery'),
  'bank transfer',
];
const CODES = ['WELCOME5', 'WELCOME5', 'SPRING10', 'SPRING10', 'SUMMER20', 'FLASH15'];
const COMMENTS = [
  'Please ring twice',
  'Leave it with the neighbours',
  'It is a present',
  'After six, please',
  'Дякую!',
  'ありがとう',
];
const STREETS = ['12 Harbour Street', '7 Mill Lane', 'вул. Лесі Українки 4', 'Calle Mayor 18', 'Lindenweg 3'];
const CARRIERS = [
  { carrier: 'DHL', prefix: 'JD0146', url: 'https://track.example/dhl/' },
  { carrier: 'UPS', prefix: '1Z999AA1', url: 'https://track.example/ups/' },
  { carrier: 'Nova Poshta', prefix: '2045', url: null },
];
const RETURNS = ['Arrived broken', 'Wrong size', 'The shopper changed their mind'];

/** Plans about three hundred orders over ninety days, the oldest first. */
export function planOrders(random: Random, now: number, customers: DemoCustomer[]): PlannedOrder[] {
  const orders: PlannedOrder[] = [];
  for (let day = HISTORY_DAYS - 1; day >= 0; day--) {
    const count = ORDERS_A_DAY[day % ORDERS_A_DAY.length];
    for (let slot = count - 1; slot >= 0; slot--) {
      const placedAt = Math.round(now - day * DAY - ((slot + random.between(0.1, 0.9)) / count) * DAY);
      orders.push(planOrder(random, now, placedAt, customers));
    }
  }
  return orders;
}

function planOrder(random: Random, now: number, placedAt: number, customers: DemoCustomer[]): PlannedOrder {
  const mayOrder = customers.filter(
    ({ joinedAt, isBanned }) => joinedAt < placedAt - HOUR && !(isBanned && placedAt > now - BANNED_SINCE),
  );
  const paymentMethod = random.pick(METHODS);
  return {
    customer: random.weighted(mayOrder, ({ weight }) => weight),
    placedAt,
    lines: cartOf(random),
    paymentMethod,
    checkoutData: answersOf(random, random.pick(['Pickup', 'Courier', 'Courier', 'Post'])),
    promocode: random.chance(0.16) ? random.pick(CODES) : null,
    spendsBonus: random.chance(0.3),
    tipAmount: random.chance(0.07) ? random.pick([100, 200, 500]) : null,
    steps: stepsOf(random, placedAt, paymentMethod),
  };
}

function cartOf(random: Random): PlannedOrder['lines'] {
  const chosen = new Set<Goods>();
  const wanted = random.weighted([1, 2, 3], (count) => 4 - count);
  while (chosen.size < wanted) chosen.add(random.weighted(GOODS, ({ weight }) => weight));
  return [...chosen].map((goods) => ({
    goods,
    quantity: random.weighted([1, 2, 3], (count) => [10, 3, 1][count - 1]),
  }));
}

function answersOf(random: Random, delivery: string): CheckoutRow[] {
  const rows: CheckoutRow[] = [{ id: 'delivery', label: 'Delivery', type: 'select', value: delivery }];
  if (delivery === 'Courier')
    rows.push({ id: 'address', label: 'Address', type: 'textarea', value: random.pick(STREETS) });
  if (random.chance(0.25))
    rows.push({ id: 'comment', label: 'Comment', type: 'text', value: random.pick(COMMENTS) });
  return rows;
}

/**
 * Plans the steps of an order. Most orders are paid, shipped and delivered; some are cancelled, a few left
 * unpaid, a few returned.
 */
function stepsOf(random: Random, placedAt: number, paymentMethod: string): Step[] {
  const fate = random.next();
  const steps: Step[] = [];
  let at = placedAt;
  const then = (from: number, to: number, step: Omit<Step, 'at'>) => {
    at = Math.round(at + random.between(from, to));
    steps.push({ at, ...step });
  };
  if (fate < 0.03) return steps;
  if (fate < 0.07) {
    then(HOUR, 20 * HOUR, { status: 'CANCELLED', by: 'owner' });
    return steps;
  }
  if (paymentMethod === 'card') then(MINUTE, 9 * MINUTE, { status: 'PROCESSING', by: 'payment' });
  else then(20 * MINUTE, 9 * HOUR, { status: 'PROCESSING', by: 'owner' });
  if (fate < 0.1) {
    // The owner forgot to give some of the money back, which the pages tell.
    const reason = random.pick(RETURNS);
    then(HOUR, 15 * HOUR, {
      ...{ status: 'CANCELLED', by: 'owner' },
      ...(fate < 0.08 ? {} : { reason }),
    });
    return steps;
  }
  then(10 * HOUR, 60 * HOUR, { status: 'SHIPPED', by: 'warehouse', tracking: trackingOf(random) });
  then(20 * HOUR, 110 * HOUR, { status: 'DELIVERED', by: 'warehouse' });
  if (fate > 0.96)
    then(30 * HOUR, 90 * HOUR, { status: 'CANCELLED', by: 'owner', reason: random.pick(RETURNS) });
  return steps;
}

function trackingOf(random: Random): Tracking {
  const { carrier, prefix, url } = random.pick(CARRIERS);
  const trackingNumber = `${prefix}${random.integer(10_000_000, 99_999_999)}`;
  return { carrier, trackingNumber, ...(url === null ? {} : { trackingUrl: url + trackingNumber }) };
}
