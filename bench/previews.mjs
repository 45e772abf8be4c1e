// npm run bench:previews: how long previews of the largest calls hold locks, for which others wait. A
// transaction that has locked a row holds it until it ends, so its age is the longest hold there can be.
import pg from 'pg';
import { newToken } from '../dist/src/platform/auth/token.js';
import { seed } from './seed.mjs';
import { round, startService, stop, withDatabase } from './service.mjs';

const PRODUCTS = 4_000;
const RUNS = 5;
/** What no preview may exceed, in milliseconds. */
const MOST = 200;

/** The oldest transaction that has locked rows or is changing some, in milliseconds; looks all the time. */
async function watch(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let longest = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await client.query(
        `select extract(epoch from max(clock_timestamp() - a.xact_start))::float8 * 1000 as ms
         from pg_stat_activity a where a.datname = current_database() and a.pid <> pg_backend_pid()
           and exists (select from pg_locks l where l.pid = a.pid and l.granted
             and l.mode in ('RowShareLock', 'RowExclusiveLock'))`,
      );
      longest = Math.max(longest, rows[0].ms ?? 0);
    }
  })();
  await work().finally(() => (isOver = true));
  await watching;
  await client.end();
  return longest;
}

async function previewed({ port }, token, operation, input) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/preview_change`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ operation, input }),
  });
  const { ok, error } = await response.json();
  if (!ok) throw new Error(`${operation}: ${JSON.stringify(error)}`);
}

/** A brand with so many products. */
async function brand(owner, store, name, from, to) {
  const { rows } = await owner.query(
    `insert into brands (store_id, id, name, slug, is_active, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, $2, true, now(), now()) returning id`,
    [store, name],
  );
  await owner.query(
    `update products set brand_id = $2
     where store_id = $1 and substr(product_id, 6)::int between $3 and $4`,
    [store, rows[0].id, from, to],
  );
  return rows[0].id;
}

await withDatabase(async (database) => {
  const { stores, tokens } = await seed(database.url, {
    ...{ stores: 1, orders: 1_000, products: PRODUCTS, newToken },
  });
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const tried = await brand(owner, stores[0], 'tried', 1, 1_500);
  const counted = await brand(owner, stores[0], 'counted', 1_501, PRODUCTS);
  await owner.query('vacuum analyze');
  await owner.end();
  const numbers = (count) => Array.from({ length: count }, (_, i) => i + 1);
  const product = (n) => ({ productId: `prod-${n}` });
  const made = { title: 'New', description: '', images: ['https://images.example/a.jpg'], price: 10 };
  const calls = {
    set_order_statuses: { orderIds: numbers(200), status: 'CANCELLED' },
    ship_orders: { items: numbers(100).map((orderId) => ({ orderId, carrier: 'DHL' })) },
    update_stocks: { items: numbers(200).map((n) => ({ ...product(n), delta: 1 })) },
    update_prices: { items: numbers(200).map((n) => ({ ...product(n), salePercent: 10 })) },
    update_products: { items: numbers(100).map((n) => ({ id: `prod-${n}`, title: 'Other' })) },
    create_products: { items: numbers(100).map((n) => ({ productId: `new-${n}`, ...made })) },
    'delete_brand, 1,500 products': { id: tried, confirm: true },
    'delete_brand, 2,500 products': { id: counted, confirm: true },
  };
  const service = await startService(database);
  const table = {};
  for (const [name, input] of Object.entries(calls)) {
    const [operation] = name.split(',');
    await previewed(service, tokens[0], operation, input);
    const held = [];
    for (let i = 0; i < RUNS; i++)
      held.push(await watch(database.url, () => previewed(service, tokens[0], operation, input)));
    const longest = Math.max(...held);
    table[name] = { 'longest, ms': round(longest, 0), [`at most ${MOST}`]: longest <= MOST };
  }
  console.table(table);
  await stop(service.child);
});
