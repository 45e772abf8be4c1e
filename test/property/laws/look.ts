import { currencyExponent } from '../../../src/platform/money.js';
import { eventually } from '../../support/eventually.js';
import type { StorePage } from '../../doors/dashboard/browser.js';
import type { RawClient } from '../../doors/mcp/raw-client.js';
import type { Answer, TestApp, TestStore } from '../../support/test-app.js';

export type Record_ = { id: string | number; updatedAt: string } & Record<string, any>;

/** What an order holds, as the database has it. */
export interface Holding {
  id: number;
  wasShipped: boolean;
  /** Pieces by the id of the product or variant. */
  stock: Record<string, number>;
  /** Pieces of its lines, the same way. */
  needs: Record<string, number>;
  status: string;
  /** The id of the promocode whose use it has. */
  code: string | null;
  shopper: string;
  /** Bonus that it spent, in minor units. */
  spent: number;
  /** Bonus that it has earned for its shopper, and for the shopper's referrer, in major units. */
  award: number;
  rewards: [customerId: string, bonus: number][];
  /** The rate by which it was awarded; null if it was not. */
  rate: number | null;
  /** The sum of its parts, minor units. */
  parts: number;
  events: number;
  /** The newest event. */
  told: Record_ | null;
}

/** Minor units. */
export type Sums = [total: number, parts: number, refunded: number, paidForLines?: number];

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
  /** What list_sales and the exported table say: an order's total, the sum of its parts, and its refunds. */
  sales: Record<string, Sums>;
  exported: Record<string, Sums>;
  /** What the shop itself gave each customer, in major units. */
  given: Record<string, number>;
  overMcp: [http: unknown, mcp: unknown][];
}

/** What deleted orders took with them: those that were shipped. The others give back what they hold. */
export class Gone {
  /** Those that were not cancelled stand. */
  readonly standing: Holding[] = [];
  readonly stock = new Map<string, number>();
  readonly codes = new Map<string, number>();

  add(holding: Holding): void {
    const { wasShipped, stock, code, status } = holding;
    if (!wasShipped) return;
    if (status !== 'CANCELLED') this.standing.push(holding);
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
    o.status, o.messenger_user_id::text as shopper, coalesce((o.pricing->>'bonus')::int, 0) as spent,
    (select coalesce(sum(b.delta), 0)::float8 from bonus_entries b where b.store_id = o.store_id
       and b.order_id = o.id and b.kind in ('cashback', 'cashback_correction')) as award,
    (select coalesce(json_agg(json_build_array(b.customer_id::text, b.delta)), '[]') from bonus_entries b
       where b.store_id = o.store_id and b.order_id = o.id and b.kind = 'referral_order') as rewards,
    (o.cashback_terms->'block'->'levels'->0->>'cashbackPercentage')::float8 as rate,
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

/** Reads, again while the database is away. */
async function read(store: TestStore, operation: string, input?: object): Promise<any> {
  let answer: Answer | undefined;
  await eventually('an answer', async () => {
    answer = await store.call(operation, input);
    return answer.status < 500;
  });
  if (!answer!.body.ok) throw new Error(`${operation} was refused: ${answer!.body.error!.message}`);
  return answer!.body.data;
}

/** What is looked at, and through which doors. */
interface Shop {
  world: { app: TestApp };
  store: TestStore;
  page: StorePage;
  mcp: RawClient;
  productIds: string[];
}

/** @param nth decides which read is made by both doors */
export async function look(shop: Shop, nth: number): Promise<Seen> {
  const { store, mcp, page } = shop;
  const { app } = shop.world;
  const all = async (operation: string): Promise<Record_[]> => {
    const found: Record_[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await read(store, operation, { take: 100, ...(cursor ? { cursor } : {}) });
      found.push(...page.items);
      cursor = page.nextCursor;
    }
    return found;
  };
  const orders = await all('list_orders');
  const orderId = orders.at(-1)?.id ?? 1;
  const reads: [string, object][] = [
    ['get_order', { orderId }],
    ['list_orders', { take: 3 }],
    ['get_product', { id: 'sized' }],
  ];
  const [products, customers, codes, sales, analytics, csv, overMcp, [row], holdings] = await Promise.all([
    Promise.all(shop.productIds.map((id) => read(store, 'get_product', { id }))),
    all('list_customers'),
    all('list_promocodes'),
    all('list_sales'),
    read(store, 'get_analytics', { period: '90d' }),
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
          ) s) as ledger,
         (select coalesce(json_object_agg(s.customer_id, s.sum), '{}') from (
            select customer_id, sum(delta)::float8 from bonus_entries where store_id = $1
              and kind in ('adjustment', 'referral_join') group by 1
          ) s) as given`,
      [store.id],
    ),
    app.query<any>(HOLDINGS, [store.id]),
  ]);
  return {
    ...{ orders, products, customers, codes, holdings, analytics, overMcp, ...row },
    ...{ sales: sumsOf(sales), exported: exportedSums(csv, store.currency) },
  };
}

/** What list_sales says of each order, its parts added up in both of the ways that its description names. */
function sumsOf(sales: Record_[]): Record<string, Sums> {
  return Object.fromEntries(
    sales.map(({ orderId, lines, adjustments, promocode, bonus, tip, total, refunded }): [string, Sums] => {
      const add = (items: Record_[], read: (item: Record_) => number) =>
        items.reduce((sum, item) => sum + read(item), 0);
      const goods = add(lines, ({ price, quantity }) => price * quantity);
      const parts = goods + add(adjustments, ({ amount }) => amount) - (promocode?.amount ?? 0) - bonus + tip;
      const paid = add([...lines, ...adjustments], (item) => item.paid) + tip;
      const lineSum = add(lines, (line) => line.paid);
      return [orderId, [total, parts === paid ? parts : NaN, refunded, lineSum]];
    }),
  );
}

/** The same of the exported table. */
function exportedSums(csv: string, currency: string): Record<string, Sums> {
  const [header, ...rows] = csv.replace('\uFEFF', '').trimEnd().split('\r\n');
  const cells = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare);
  const names = cells(header);
  const factor = 10 ** currencyExponent(currency);
  return Object.fromEntries(
    rows.map(cells).map((row): [string, Sums] => {
      const minor = (name: string) => Math.round(Number(row[names.indexOf(name)]) * factor);
      const less = minor('promocodeDiscount') + minor('bonus');
      const parts = minor('goods') + minor('adjustments') - less + minor('tipAmount');
      return [row[names.indexOf('id')], [minor('totalPrice'), parts, minor('refunded')]];
    }),
  );
}
