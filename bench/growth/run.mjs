// npm run bench:growth: does a big shop answer as fast as a small one? It uses one connection, so the figures
// are latencies, not throughput.
import pg from 'pg';
import { LIST_ORDERS, LIST_ORDERS_BY_STATUS } from '../../dist/src/groups/orders/order/order.statements.js';
import { LIST_PRODUCTS } from '../../dist/src/groups/products/product.statements.js';
import { seededForSearches, seedStore } from './seed.mjs';
import { median, round, startService, stop, withDatabase } from '../service.mjs';

const SCALE = Number(process.env.BENCH_SCALE ?? 1);
const SMALL = { products: 1_000, orders: 10_000, customers: 10_000, deliveries: 10_000 };
const LARGE = {
  products: 100_000 * SCALE,
  orders: 1_000_000 * SCALE,
  customers: 1_000_000 * SCALE,
  deliveries: 1_000_000 * SCALE,
};
const CALLS = 300;
const WARM_UP = 50;

async function call(port, store, operation, input) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/${operation}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${store.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  });
  return response.json();
}

async function page(port, store, path) {
  const url = `http://127.0.0.1:${port}/dashboard/api/stores/${store.id}/${path}`;
  return (await fetch(url, { headers: { Cookie: store.cookie } })).json();
}

/** Calls the two stores in turns, so that anything the machine does in the meantime affects both. */
async function inTurns(label, first, second) {
  const times = [[], []];
  for (let i = 0; i < CALLS; i++) {
    for (const [n, ask] of [first, second].entries()) {
      const started = performance.now();
      const { ok, error } = await ask(i);
      if (!ok) throw new Error(`${label}: ${error.message}`);
      if (i >= WARM_UP) times[n].push(performance.now() - started);
    }
  }
  return times.map(median);
}

/** Follows a list's own cursors to a page far from the first. */
async function farCursor(port, store, operation, pages) {
  let cursor;
  for (let i = 0; i < pages; i++) {
    const { data } = await call(port, store, operation, { take: 100, ...(cursor ? { cursor } : {}) });
    if (data.nextCursor === null) break;
    cursor = data.nextCursor;
  }
  return cursor;
}

await withDatabase(async (database) => {
  const started = performance.now();
  const { owner, made } = await seededForSearches(database, async (connection) => [
    await seedStore(connection, SMALL),
    await seedStore(connection, LARGE),
  ]);
  const [small, large] = made;
  console.log(`seeded in ${round((performance.now() - started) / 1000, 0)} s`);
  const { child, port } = await startService(database);

  const lastOrder = Number(
    (await owner.query('select max(id) from orders where store_id = $1', [large.id])).rows[0].max,
  );
  const firstOrder = Number(
    (await owner.query('select min(id) from orders where store_id = $1', [small.id])).rows[0].min,
  );
  const far = {
    list_products: await farCursor(port, large, 'list_products', 200),
    list_orders: String(Math.floor(lastOrder / 2)),
  };
  const rowsOut = {};
  const compare = async (label, operation, smallInput, largeInput = smallInput) => {
    const ask = (store, inputOf) => (i) => call(port, store, operation, inputOf(i));
    show(label, await inTurns(label, ask(small, smallInput), ask(large, largeInput)));
  };
  const comparePages = async (label, path) => {
    const ask = (store) => () => page(port, store, path);
    show(label, await inTurns(label, ask(small), ask(large)));
  };
  const show = (label, [a, b]) => {
    rowsOut[label] = { 'small, ms': round(a), 'large, ms': round(b), ratio: round(b / a) };
  };
  await compare(
    'get_product',
    'get_product',
    (i) => ({ id: `prod-${1 + ((i * 7919) % 1000)}` }),
    (i) => ({ id: `prod-${1 + ((i * 7919) % LARGE.products)}` }),
  );
  await compare('list_products', 'list_products', () => ({ take: 20 }));
  await compare(
    'list_products, far page',
    'list_products',
    () => ({ take: 20 }),
    () => ({ take: 20, cursor: far.list_products }),
  );
  await compare(
    'get_order',
    'get_order',
    (i) => ({ orderId: firstOrder + i }),
    (i) => ({ orderId: lastOrder - ((i * 997) % LARGE.orders) }),
  );
  await compare('list_orders', 'list_orders', () => ({ take: 20 }));
  await compare(
    'list_orders, middle page',
    'list_orders',
    () => ({ take: 20 }),
    () => ({ take: 20, cursor: far.list_orders }),
  );
  await compare('list_orders of a status', 'list_orders', () => ({ take: 20, status: 'SHIPPED' }));
  await compare(
    'get_customer',
    'get_customer',
    (i) => ({ id: String(1 + ((i * 7919) % SMALL.customers)) }),
    (i) => ({ id: String(1 + ((i * 7919) % LARGE.customers)) }),
  );
  await compare('list_customers', 'list_customers', () => ({ take: 20 }));
  await comparePages('list of deliveries (dashboard)', 'webhook/deliveries?take=20');
  await comparePages('figures of 30 days of deliveries (dashboard)', 'webhook/stats?period=30d');
  await compare('get_billing_status', 'get_billing_status', () => ({}));
  await compare(
    'list_customers, search',
    'list_customers',
    (i) => ({ search: `user${1000 + i * 13}` }),
    (i) => ({ search: `user${100_000 * SCALE + i * 131}` }),
  );
  await compare('list_customers, rare search', 'list_customers', () => ({ search: 'zzz' }));
  await compare('list_customers, common search', 'list_customers', () => ({ search: 'last12' }));
  await compare(
    'list_customers, first and last name',
    'list_customers',
    (i) => ({ search: `First${i} Last${i}` }),
    (i) => ({ search: `First${i} Last${i}` }),
  );
  await compare('find_orders', 'find_orders', () => ({}));
  await compare('find_orders, of two statuses', 'find_orders', () => ({ statuses: ['PENDING', 'SHIPPED'] }));
  await compare('find_orders, recently updated', 'find_orders', () => ({ sort: 'recently_updated' }));
  await compare('find_orders, created up to a month ago', 'find_orders', () => ({
    createdTo: new Date(Date.now() - 30 * 86_400_000).toISOString(),
    statuses: ['PENDING'],
  }));
  await compare(
    'find_orders, of a customer',
    'find_orders',
    (i) => ({ customerId: String(1 + i) }),
    (i) => ({ customerId: String(1 + i * 997) }),
  );
  await compare('find_orders, of a product', 'find_orders', (i) => ({ productId: `prod-${1 + (i % 900)}` }));
  await compare('find_orders, common text', 'find_orders', () => ({ text: 'product' }));
  await compare('find_orders, rare text', 'find_orders', () => ({ text: 'zzz' }));
  await compare('find_orders, one letter', 'find_orders', () => ({ text: 'p' }));
  await compare('find_orders, four digits', 'find_orders', () => ({ text: '4711' }));
  await compare('find_orders, common text of a customer without it', 'find_orders', () => ({
    ...{ text: 'product', customerId: '1', createdTo: '2001-01-01T00:00:00Z' },
  }));
  await compare(
    'find_orders, by username',
    'find_orders',
    (i) => ({ text: `@user${1000 + i * 13}` }),
    (i) => ({ text: `@user${100_000 * SCALE + i * 131}` }),
  );
  await compare('find_orders, by product id', 'find_orders', (i) => ({ text: `prod-1${100 + (i % 900)}` }));
  await compare('find_orders, common text and a loose filter', 'find_orders', () => ({
    text: 'product',
    statuses: ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED'],
  }));
  await compare('find_customers', 'find_customers', () => ({}));
  await compare('find_customers, with at least one order', 'find_customers', () => ({ minOrders: 1 }));
  await compare('find_customers, common text', 'find_customers', () => ({ text: 'last12' }));
  for (const sort of ['most_spent', 'recently_ordered'])
    await compare(`find_customers, common text, ${sort}`, 'find_customers', () => ({ text: 'user', sort }));
  await compare(
    'find_customers, by username',
    'find_customers',
    (i) => ({ text: `user${1000 + i * 13}` }),
    (i) => ({ text: `user${100_000 * SCALE + i * 131}` }),
  );
  await compare('find_products', 'find_products', () => ({}));
  await compare('find_products, recently updated', 'find_products', () => ({ sort: 'recently_updated' }));
  await compare('find_products, low stock', 'find_products', () => ({ maxStock: 3 }));
  await compare('find_products, common text', 'find_products', () => ({ text: 'title' }));
  await compare('find_products, rare text', 'find_products', () => ({ text: 'zzz' }));
  await compare(
    'find_products, by id',
    'find_products',
    (i) => ({ text: `prod-${100 + i}` }),
    (i) => ({ text: `prod-${10_000 + i}` }),
  );
  for (const period of ['7d', '30d', '90d'])
    await compare(`get_analytics, ${period}`, 'get_analytics', () => ({ period }));
  console.log(`\nsmall: ${JSON.stringify(SMALL)}\nlarge: ${JSON.stringify(LARGE)}`);
  console.table(rowsOut);

  // The first page and a far page should have the same plan: an index scan bounded by its limit.
  const store = new pg.Client({ connectionString: database.storeUrl });
  store.on('error', () => undefined);
  await store.connect();
  for (const [label, statement, values] of [
    ['list_products, first page', LIST_PRODUCTS, [large.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21]],
    [
      'list_products, page 1,000',
      LIST_PRODUCTS,
      [large.id, JSON.parse(Buffer.from(far.list_products, 'base64url').toString())[0], 21],
    ],
    ['list_orders, first page', LIST_ORDERS, [large.id, '9223372036854775807', 21]],
    ['list_orders, middle page', LIST_ORDERS, [large.id, far.list_orders, 21]],
    [
      'list_orders of a status, middle page',
      LIST_ORDERS_BY_STATUS,
      [large.id, far.list_orders, 'SHIPPED', 21],
    ],
  ]) {
    const plan = await store.query({
      text: `explain (analyze, costs off, timing off, summary off, buffers on) ${statement.carried}`,
      values,
    });
    const lines = plan.rows.map((row) => row['QUERY PLAN']);
    console.log(
      `\n${label}\n${lines
        .filter((line) => /Scan using|Limit|Buffers/.test(line))
        .slice(0, 4)
        .join('\n')}`,
    );
  }
  await store.end();
  await owner.end();
  await stop(child);
});
