import { currencyExponent } from '../../../src/platform/money.js';
import type { Outcome, RandomShop } from './random-shop.js';

type Record_ = { id: string | number; updatedAt: string } & Record<string, any>;

/** What an order holds, as the database has it. */
interface Holding {
  id: number;
  wasShipped: boolean;
  /** Pieces by the id of the product or variant. */
  stock: Record<string, number>;
  /** Pieces of its lines, the same way. */
  needs: Record<string, number>;
  status: string;
  /** The id of the promocode whose use it has. */
  code: string | null;
  /** The sum of its parts, minor units. */
  parts: number;
  events: number;
  /** The newest event. */
  told: Record_ | null;
}

/** All that the shop shows after a step. */
export interface Seen {
  orders: Record_[];
  products: Record_[];
  customers: Record_[];
  codes: Record_[];
  holdings: Holding[];
  ledger: Record<string, number>;
  audits: number;
  analytics: any;
  exported: Record<string, number>;
  overMcp: [http: unknown, mcp: unknown][];
}

/** What deleted orders took with them: those that were shipped. The others give back what they hold. */
export class Gone {
  readonly stock = new Map<string, number>();
  readonly codes = new Map<string, number>();

  add({ wasShipped, stock, code }: Holding): void {
    if (!wasShipped) return;
    for (const [id, pieces] of Object.entries(stock)) this.stock.set(id, (this.stock.get(id) ?? 0) + pieces);
    if (code) this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }
}

const HOLDINGS = `
  select o.id::int as id, coalesce(o.entered && '{SHIPPED,DELIVERED}', false) as "wasShipped",
    (select coalesce(json_object_agg(h.sold, h.pieces), '{}') from (
       select coalesce(i.catalog_variant_id, i.catalog_product_id) as sold,
         sum(coalesce(i.stock_taken, 0) - coalesce((
           select sum((s->>1)::int) from json_array_elements(o.cancellation->'stock') s
           where o.status = 'CANCELLED' and (s->>0)::int = i.position), 0))::int as pieces
       from order_items i where i.store_id = o.store_id and i.order_id = o.id group by 1) h) as stock,
    (select json_object_agg(n.sold, n.pieces) from (
       select coalesce(i.catalog_variant_id, i.catalog_product_id) as sold, sum(i.quantity)::int as pieces
       from order_items i where i.store_id = o.store_id and i.order_id = o.id group by 1) n) as needs,
    o.status,
    case when o.pricing->'promocode'->>'isUseLost' is null
      and not (o.status = 'CANCELLED' and coalesce((o.cancellation->>'promocodeUse')::boolean, false))
      then o.pricing->'promocode'->>'id' end as code,
    ((select sum(i.price * i.quantity) from order_items i where i.store_id = o.store_id and i.order_id = o.id)
      + (select coalesce(sum((a->>'amount')::bigint), 0) from json_array_elements(o.pricing->'adjustments') a)
      - coalesce((o.pricing->'promocode'->>'discount')::bigint, 0) - (o.pricing->>'bonus')::bigint
      + coalesce(o.tip_amount, 0))::int as parts,
    (select count(*)::int from order_events e where e.store_id = o.store_id and e.order_id = o.id) as events,
    (select convert_from(e.body, 'utf8')::json->'data' from order_events e
     where e.store_id = o.store_id and e.order_id = o.id order by e.epoch desc, e.xid desc limit 1) as told
  from orders o where o.store_id = $1 order by o.id`;

/** @param nth decides which read is made by both doors */
export async function look(shop: RandomShop, nth: number): Promise<Seen> {
  const { store, mcp, page } = shop;
  const { app } = shop.world;
  const orders: Record_[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const listed: any = await store.data('list_orders', { take: 100, ...(cursor ? { cursor } : {}) });
    orders.push(...listed.items);
    cursor = listed.nextCursor;
  }
  const orderId = orders.at(-1)?.id ?? 1;
  const reads: [string, object][] = [
    ['get_order', { orderId }],
    ['list_orders', { take: 3 }],
    ['get_product', { id: 'sized' }],
  ];
  const [products, customers, codes, analytics, csv, overMcp, [row], holdings] = await Promise.all([
    Promise.all(shop.productIds.map((id) => store.data('get_product', { id }))),
    store.data('list_customers'),
    store.data('list_promocodes'),
    store.data('get_analytics', { period: '90d' }),
    page.browser.open(`stores/${store.id}/orders/export.csv`).then((response) => response.text()),
    Promise.all(
      reads
        .slice(nth % reads.length, (nth % reads.length) + 1)
        .map(async ([name, input]): Promise<[unknown, unknown]> => [
          (await store.call(name, input)).body,
          (await mcp.call(name, input)).structuredContent,
        ]),
    ),
    app.query<any>(
      `select (select count(*)::int from audit_log where store_id = $1
        and operation not like '%export%') as audits,
         (select coalesce(json_object_agg(s.customer_id, s.sum), '{}') from (
            select customer_id, sum(delta)::float8 from bonus_entries where store_id = $1 group by 1
          ) s) as ledger`,
      [store.id],
    ),
    app.query<any>(HOLDINGS, [store.id]),
  ]);
  return {
    ...{ orders, products, customers: customers.items, codes: codes.items, holdings, analytics, overMcp },
    ...{ ledger: row.ledger, audits: row.audits, exported: totalsOf(csv, store.currency) },
  };
}

/** The totals of the exported table in minor units, by the order's number. */
function totalsOf(csv: string, currency: string): Record<string, number> {
  const [header, ...rows] = csv.replace('\uFEFF', '').trimEnd().split('\r\n');
  const cells = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare);
  const [id, total] = ['id', 'totalPrice'].map((name) => cells(header).indexOf(name));
  const factor = 10 ** currencyExponent(currency);
  return Object.fromEntries(rows.map(cells).map((row) => [row[id], Math.round(Number(row[total]) * factor)]));
}

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
      const articles = [after.products[0], ...variants];
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
    sentence: 'An order holds no more than it needs, and lets nothing go that it still needs.',
    compare: ({ before, after }) => {
      const was = new Map(before.holdings.map((holding) => [holding.id, holding]));
      const wrong = after.holdings.filter(({ id, status, stock, needs }) => {
        const old = was.get(id);
        const isOpen = status !== 'CANCELLED' && old !== undefined && old.status !== 'CANCELLED';
        return Object.keys({ ...stock, ...needs }).some((sold) => {
          const [holds, need] = [stock[sold] ?? 0, needs[sold] ?? 0];
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
    name: 'total',
    sentence: 'The total of an order is the sum of the parts that are kept with it.',
    compare: ({ after }) => [
      Object.fromEntries(after.holdings.map(({ id, parts }) => [id, parts])),
      Object.fromEntries(after.orders.map(({ id, totalPrice }) => [id, totalPrice])),
    ],
  },
  {
    name: 'export',
    sentence: 'The exported table has the same orders and totals as list_orders.',
    compare: ({ after }) => [
      after.exported,
      Object.fromEntries(after.orders.map(({ id, totalPrice }) => [id, totalPrice])),
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
