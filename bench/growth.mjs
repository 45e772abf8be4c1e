// npm run bench:growth: does a big shop answer as fast as a small one? It uses one connection, so the figures
// are latencies, not throughput.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { LIST_ORDERS, LIST_ORDERS_BY_STATUS } from '../dist/src/groups/orders/order.statements.js';
import { LIST_PRODUCTS } from '../dist/src/groups/products/product.statements.js';
import { SalesPacking } from '../dist/src/stores/sales-packing.service.js';
import { DeliveryPacking } from '../dist/src/webhooks/delivery/figures/delivery-packing.service.js';
import { hashToken, newToken } from '../dist/src/platform/auth/token.js';
import { SystemDatabase } from '../dist/src/platform/database/system.js';
import { median, round, startService, stop, withDatabase } from './service.mjs';

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

async function seedStore(owner, { products, orders, customers, deliveries }) {
  const token = newToken();
  const { rows } = await owner.query(
    `insert into stores (id, name, currency, plan, created_at, updated_at)
      values (gen_random_uuid(), 'Growth', 'USD', 'pro', now(), now()) returning id`,
  );
  const { id } = rows[0];
  await owner.query(
    `insert into api_tokens (store_id, id, name, scope, token_hash, created_at)
      values ($1, gen_random_uuid(), 'bench', 'admin', $2, now())`,
    [id, hashToken(token)],
  );
  await owner.query(
    `insert into customers (store_id, id, first_name, last_name, username, search_text, created_at,
      updated_at)
     select $1, n, 'First' || n % 5000, 'Last' || n % 7001, 'user' || n,
       lower('First' || n % 5000 || E'\\n' || 'Last' || n % 7001 || E'\\n' || 'user' || n), now(), now()
       from generate_series(1, $2::int) n`,
    [id, customers],
  );
  await owner.query(
    `insert into products (store_id, id, product_id, title, description, images, price, item_amount,
      created_at, updated_at)
     select $1, gen_random_uuid(), 'prod-' || n, 'Product title number ' || n, 'Some words about it',
       '{https://images.example/a.jpg}', 10.5, n % 100,
       now(), now() from generate_series(1, $2::int) n`,
    [id, products],
  );
  await owner.query(
    `with placed as (
       insert into orders (store_id, status, payment_method, total_price, currency, messenger_user_id,
         created_at, updated_at)
       select $1, (array['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'])[1 + n % 5], 'card',
         1000 + n % 9000, 'USD',
         1 + n % $3::int, now() - n * interval '90 days' / $2::int, now() from generate_series(1, $2::int) n
         returning id
     )
     insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
     select $1, id, p, 'prod-' || (id * p) % 2000, 'Product title number ' || (id * p) % 2000, p, 500
       from placed, generate_series(1, 2) p`,
    [id, orders, customers],
  );
  await owner.query(
    `with sent as (
       insert into order_events (store_id, id, order_id, event, body, created_at)
       select $1, overlay(uuidv7()::text placing left(order_event_id_at(at)::text, 13)
         from 1 for 13)::uuid, n, 'order.updated',
         convert_to(repeat('x', 200), 'UTF8'), at
       from (select n, now() - n * interval '30 days' / $2::int as at from generate_series(1, $2::int) n) e
         returning id, created_at as at
     ), deliveries as (
       insert into webhook_deliveries (store_id, id, status, created_at, finished_at)
       select $1, id, 'delivered', at, at from sent
     )
     insert into webhook_attempts (store_id, delivery_id, id, at, duration_ms, status_code)
     select $1, id, gen_random_uuid(), at, 20, 204 from sent`,
    [id, deliveries],
  );
  return { id, token, cookie: await signIn(owner, id) };
}

/** Creates a session of the store's owner, for the calls that only the dashboard makes. */
async function signIn(owner, storeId) {
  const session = randomBytes(32).toString('base64url');
  await owner.query(
    `with person as (
       insert into users (id, email, password_hash, created_at) values (gen_random_uuid(), $2, '', now())
         returning id
     ), member as (
       insert into store_members (store_id, user_id, role, created_at) select $1, id, 'owner', now()
         from person
     ) insert into sessions (token_hash, user_id, created_at, last_seen_at) select $3, id, now(), now()
     from person`,
    [storeId, `${storeId}@example.com`, hashToken(session)],
  );
  return `shop_session=${session}`;
}

/** Runs the background work that a process of the service starts a minute after its own start. */
async function pack(systemUrl) {
  const system = new SystemDatabase(systemUrl, { max: 1, onError: () => undefined });
  for (const Packing of [SalesPacking, DeliveryPacking])
    await new Packing(system, { now: () => new Date() }, console).pack();
  await system.close();
}

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
  const owner = new pg.Client({ connectionString: database.url });
  // If the work below fails, the database stops first. The resulting error must not hide the failure.
  owner.on('error', () => undefined);
  await owner.connect();
  // The searched tables have GIN indexes, which are far quicker to build at the end than to extend row by
  // row.
  const { rows } = await owner.query(
    `select indexdef from pg_indexes where indexname in ('customers_found', 'products_found')`,
  );
  await owner.query('drop index customers_found, products_found');
  const started = performance.now();
  const [small, large] = [await seedStore(owner, SMALL), await seedStore(owner, LARGE)];
  for (const { indexdef } of rows) await owner.query(indexdef);
  await pack(database.systemUrl);
  await owner.query('vacuum analyze');
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
  await compare(
    'find_orders, by username',
    'find_orders',
    (i) => ({ text: `@user${1000 + i * 13}` }),
    (i) => ({ text: `@user${100_000 * SCALE + i * 131}` }),
  );
  await compare('find_orders, by product id', 'find_orders', (i) => ({ text: `prod-1${100 + (i % 900)}` }));
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
