import { bonusDecimals, currencyExponent } from '../../../src/platform/money.js';
import type { Gone, Holding, Record_, Seen } from './look.js';
import type { Outcome, RandomShop } from './random-shop.js';

export interface Moment {
  shop: RandomShop;
  outcome: Outcome;
  before: Seen;
  after: Seen;
  gone: Gone;
}

export interface Law {
  name: string;
  sentence: string;
  /** @returns two values that are equal if the law holds */
  compare(moment: Moment): [found: unknown, expected: unknown];
}

const PAID = ['PROCESSING', 'SHIPPED', 'DELIVERED'];
const sum = <Item>(items: Item[], read: (item: Item) => number) =>
  items.reduce((total, item) => total + read(item), 0);
const byId = (records: Record_[]) => new Map(records.map((record) => [String(record.id), record]));
const text = (value: unknown) => JSON.stringify(value);

/** What other records count, and times. */
const NOT_OWN = ['updatedAt', 'lastSeenAt', 'orderCount', 'totalSpent', 'usedCount'];

const own = (record: Record_) =>
  text(Object.fromEntries(Object.entries(record).filter(([name]) => !NOT_OWN.includes(name))));

export const LAWS: Law[] = [
  {
    name: 'stock',
    sentence: 'What is in stock, held by orders and sold is what people have put in.',
    compare: ({ shop, after, gone }) => {
      const variants = after.products[1].variants[0].values as Record_[];
      const articles = [after.products[0], ...variants].filter(({ itemAmount }) => itemAmount !== null);
      const held = (id: string) =>
        sum(after.holdings, ({ stock }) => stock[id] ?? 0) + (gone.stock.get(id) ?? 0);
      return [
        articles.map(({ id, itemAmount }) => itemAmount + held(String(id))),
        articles.map(({ id }) => shop.put.get(String(id))),
      ];
    },
  },
  {
    name: 'held',
    sentence:
      'An order holds no more than it needs, and lets nothing go that it still needs; it holds nothing of ' +
      'what is not counted.',
    compare: ({ before, after }) => {
      const was = new Map(before.holdings.map((holding) => [holding.id, holding]));
      const uncounted = after.products.filter(({ itemAmount }) => itemAmount === null).map(({ id }) => id);
      const wrong = after.holdings.filter(({ id, status, stock, needs, wasShipped }) => {
        const old = was.get(id);
        const isOpen = status !== 'CANCELLED' && old !== undefined && old.status !== 'CANCELLED';
        return Object.keys({ ...stock, ...needs }).some((sold) => {
          const [holds, need] = [stock[sold] ?? 0, needs[sold] ?? 0];
          if (uncounted.includes(sold)) return !wasShipped && holds > 0;
          return holds > need || (isOpen && holds < Math.min(old.stock[sold] ?? 0, need));
        });
      });
      return [wrong.map(({ id, stock, needs }) => ({ id, stock, needs, was: was.get(id)?.stock })), []];
    },
  },
  {
    name: 'uses of codes',
    sentence: 'A promocode is used as often as orders have its use.',
    compare: ({ after, gone }) => [
      after.codes.map(({ usedCount }) => usedCount),
      after.codes.map(
        ({ id }) =>
          after.holdings.filter(({ code }) => code === id).length + (gone.codes.get(String(id)) ?? 0),
      ),
    ],
  },
  {
    name: 'bonus ledger',
    sentence: 'The sum of a customer’s ledger is the balance.',
    compare: ({ after }) => [
      after.customers.map(({ bonusBalance }) => bonusBalance),
      after.customers.map(({ id }) => Number((after.ledger[String(id)] ?? 0).toFixed(3))),
    ],
  },
  {
    name: 'bonus',
    sentence:
      'A balance less the debt is what the shop gave and what the orders that stand earned and spent; ' +
      'nobody has both.',
    compare: ({ shop: { store }, after, gone }) => {
      const factor = 10 ** currencyExponent(store.currency);
      const standing = [...after.holdings.filter(({ status }) => status !== 'CANCELLED'), ...gone.standing];
      const expected = (id: string) => {
        const own = sum(standing, ({ shopper, award, spent }) =>
          shopper === id ? award - spent / factor : 0,
        );
        const rewards = standing
          .flatMap((order) => order.rewards)
          .filter(([customerId]) => customerId === id);
        return (after.given[id] ?? 0) + own + sum(rewards, ([, bonus]) => bonus);
      };
      const both = after.customers.filter(({ bonusBalance, bonusOwed }) => bonusBalance > 0 && bonusOwed > 0);
      return [
        [after.customers.map(({ bonusBalance, bonusOwed }) => (bonusBalance - bonusOwed).toFixed(2)), both],
        [after.customers.map(({ id }) => expected(String(id)).toFixed(2).replace('-0.00', '0.00')), []],
      ];
    },
  },
  {
    name: 'cashback',
    sentence: 'An award is its rate of what was paid for the lines, rounded down; never more.',
    compare: ({ shop: { store }, after }) => {
      const [minor, unit] = [10 ** currencyExponent(store.currency), 10 ** bonusDecimals(store.currency)];
      const expected = ({ id, rate }: Holding) => {
        const paid = after.sales[id][3]!;
        return rate === null ? 0 : Math.floor((paid * rate * unit) / (100 * minor)) / unit;
      };
      return [
        after.holdings.map(({ id, award }) => [id, award]),
        after.holdings.map((order) => [order.id, expected(order)]),
      ];
    },
  },
  {
    name: 'payment',
    sentence:
      'A payment pays the total of its invoice and a tip that is not too high, and changes nothing else.',
    compare: ({ outcome: { payment }, after }) => {
      if (!payment) return [[], []];
      const { totalPrice, tipAmount } = after.orders.find(({ id }) => id === payment.orderId)!;
      const { total, paid, mostTip } = payment;
      const tip = tipAmount ?? 0;
      return [
        [totalPrice, totalPrice - tip, Math.min(tip, mostTip)],
        [paid, total, tip],
      ];
    },
  },
  {
    name: 'money',
    sentence:
      'The total of an order is the sum of its parts: as kept, in list_sales, and in the exported table.',
    compare: ({ after: { holdings, orders, sales, exported } }) => [
      holdings.map(({ id, parts }) => [id, parts, sales[id].slice(0, 3), exported[id]]),
      holdings.map(({ id }) => {
        const { totalPrice: total } = orders.find((order) => order.id === id)!;
        const sums = [total, total, sales[id][2]];
        return [id, total, sums, sums];
      }),
    ],
  },
  {
    name: 'analytics',
    sentence: 'Analytics and what customers have spent are sums over the orders.',
    compare: ({ after: { analytics, orders, customers } }) => {
      const paid = orders.filter(({ status }) => PAID.includes(status));
      const spent = (id: unknown) => paid.filter(({ messengerUserId }) => messengerUserId === id);
      return [
        [analytics.orderCount, analytics.revenue, ...customers.map(({ totalSpent }) => totalSpent)],
        [
          orders.length,
          sum(paid, ({ totalPrice }) => totalPrice),
          ...customers.map(({ id }) => sum(spent(id), ({ totalPrice }) => totalPrice)),
        ],
      ];
    },
  },
  {
    name: 'one event per change',
    sentence: 'An order that changed has one event more, with the order as it is; any other has none.',
    compare: ({ before, after }) => {
      const [was, is] = [byId(before.orders), byId(after.orders)];
      const events = new Map(before.holdings.map(({ id, events }) => [id, events]));
      const isChanged = (id: number) => text(was.get(String(id))) !== text(is.get(String(id)));
      return [
        after.holdings.map(({ id, events: now, told }) => [id, now - (events.get(id) ?? 0), told]),
        after.holdings.map(({ id }) => [id, isChanged(id) ? 1 : 0, is.get(String(id))]),
      ];
    },
  },
  {
    name: 'updatedAt',
    sentence: 'A record that changed has a later updatedAt; no updatedAt goes back.',
    compare: ({ before, after }) => {
      const wrong = (['orders', 'products', 'customers', 'codes'] as const).flatMap((kind) => {
        const was = byId(before[kind]);
        return after[kind].flatMap((record) => {
          const old = was.get(String(record.id));
          if (!old) return [];
          const isRight =
            own(old) === own(record) ? old.updatedAt <= record.updatedAt : old.updatedAt < record.updatedAt;
          return isRight ? [] : [[old, record]];
        });
      });
      return [wrong, []];
    },
  },
  {
    name: 'audit',
    sentence: 'A write has one audit row; what was refused has none.',
    compare: ({ before, after, outcome: { audited } }) => {
      const was = byId(before.orders);
      const changed = after.orders.filter((order) => text(was.get(String(order.id))) !== text(order));
      return [after.audits - before.audits, audited === 'each order' ? changed.length : audited];
    },
  },
  {
    name: 'doors',
    sentence: 'MCP answers what HTTP answers.',
    compare: ({ after }) => [after.overMcp.map(([, mcp]) => mcp), after.overMcp.map(([http]) => http)],
  },
  {
    name: 'refusals',
    sentence: 'What is refused changes nothing.',
    compare: ({ before, after, outcome: { isTaken } }) => {
      const records = ({ orders, products, codes }: Seen) => [orders, products, codes];
      return isTaken ? [[], []] : [records(after), records(before)];
    },
  },
];
