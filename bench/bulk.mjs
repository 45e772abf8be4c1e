// npm run bench:bulk: the cost of the bulk operations with 200 items per call, and how long 5,000 rows take
// within the default budgets.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { newToken } from '../dist/src/platform/auth/token.js';
import { seed } from './seed.mjs';
import { median, round, startService, stop, withDatabase } from './service.mjs';

const PRODUCTS = 5_000;
const ITEMS = 200;
const WARM_UP = 20;
const CALLS = 100;

/** Creates products of one store, half of them with two variants. @returns their items for a bulk call */
async function products(owner, store) {
  await owner.query(
    `insert into products (store_id, id, product_id, title, description, images, price, item_amount,
      created_at, updated_at)
     select $1, gen_random_uuid(), 'prod-' || n, 'Product ' || n, '', '{https://images.example/a.jpg}', 10,
       1000, now(), now()
     from generate_series(1, $2::int) n`,
    [store, PRODUCTS],
  );
  await owner.query(
    `insert into variants (store_id, id, product_id, option_title, variant_value, price, item_amount,
      created_at, updated_at)
     select $1, gen_random_uuid(), p.id, 'Size', v, 11, 1000, now(), now()
       from products p, unnest(array['S', 'M']) v
     where p.store_id = $1 and p.product_id ~ '[02468]$'`,
    [store],
  );
  const { rows } = await owner.query(
    `select p.product_id as "productId", (select v.id from variants v where v.store_id = p.store_id
      and v.product_id = p.id limit 1) as "variantId"
     from products p where p.store_id = $1 order by p.product_id`,
    [store],
  );
  await owner.query('vacuum analyze');
  return rows.map(({ productId, variantId }) => (variantId ? { productId, variantId } : { productId }));
}

const pageOf = (items, call) => {
  const start = (call * ITEMS) % items.length;
  return items.slice(start, start + ITEMS);
};

async function timed(port, token, operation, input) {
  const began = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/v1/${operation}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    },
    body: JSON.stringify(input),
  });
  const { ok, data, error } = await response.json();
  if (!ok || data.failed > 0)
    throw new Error(`${operation}: ${JSON.stringify(error ?? data.items.find((item) => item.error))}`);
  return performance.now() - began;
}

const CHANGES = {
  'update_stocks, delta': ['update_stocks', (item, call) => ({ ...item, delta: call % 2 ? 1 : -1 })],
  'update_stocks, absolute': ['update_stocks', (item, call) => ({ ...item, absolute: 1000 + call })],
  update_prices: ['update_prices', (item, call) => ({ ...item, price: 10 + call })],
};

await withDatabase(async (database) => {
  const { stores, tokens } = await seed(database.url, { stores: 1, orders: 1_000, newToken });
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const items = await products(owner, stores[0]).finally(() => owner.end());
  const [token] = tokens;
  const call = ({ port }, [operation, change], i) =>
    timed(port, token, operation, { items: pageOf(items, i).map((item) => change(item, i)) });

  const unlimited = await startService(database);
  const table = {};
  for (const [name, change] of Object.entries(CHANGES)) {
    const times = [];
    for (let i = 0; i < WARM_UP + CALLS; i++) times.push(await call(unlimited, change, i));
    const measured = times.slice(WARM_UP).sort((a, b) => a - b);
    table[`${name}, ${ITEMS} items`] = {
      'p50, ms': round(median(measured), 1),
      'p99, ms': round(measured[CALLS - 2], 1),
    };
  }
  await stop(unlimited.child);
  console.table(table);

  const limited = await startService(database, { RATE_LIMIT_READ: undefined, RATE_LIMIT_WRITE: undefined });
  const began = performance.now();
  for (let i = 0; i < PRODUCTS / ITEMS; i++) await call(limited, CHANGES['update_stocks, absolute'], i);
  console.log(
    `${PRODUCTS} rows within the default budgets: ${round((performance.now() - began) / 1000, 1)} s`,
  );
  await stop(limited.child);
});
