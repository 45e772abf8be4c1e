// npm run bench:shop: how long a shopper waits for a page of the shop's products. One connection calls in
// turns, so the figures are latencies. BENCH_PRODUCTS sets the number of products.
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { SecretBox } from '../../dist/src/platform/crypto/secret-box.js';
import { fold, seedStore } from './seed.mjs';
import { median, round, startService, stop, withDatabase } from '../service.mjs';

const PRODUCTS = Number(process.env.BENCH_PRODUCTS ?? 10_000);
const GOAL_MS = 20;
const CALLS = 200;
const WARM_UP = 50;
const BOT_TOKEN = '5550001234:AAH-bench_0123456789abcdefghijklmnopqrs';

/** A shopper's signed words, as the messenger's client hands them to a Mini App. */
function initData() {
  const values = {
    auth_date: String(Math.floor(Date.now() / 1000)),
    user: '{"id":4711,"first_name":"Ann"}',
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const secret = createHmac('sha256', 'WebAppData').update(BOT_TOKEN).digest();
  const hash = createHmac('sha256', secret).update(lines.sort().join('\n')).digest('hex');
  return new URLSearchParams({ ...values, hash }).toString();
}

/** Gives the store a bot, two categories of which the second has nothing, and a sale of one in fifty. */
async function openShop(owner, { id }, box) {
  const seal = (text) => box.seal(text, `bot:${id}`);
  await owner.query(
    `insert into bots (store_id, bot_id, username, sealed_token, sealed_webhook_secret, connected_at)
     values ($1, 5550001234, 'bench_bot', $2, $3, now())`,
    [id, seal(BOT_TOKEN), seal('bench')],
  );
  const { rows } = await owner.query(
    `insert into categories (store_id, id, name, slug, sort_order, is_active, created_at, updated_at)
     select $1, gen_random_uuid(), name, name, 0, true, now(), now() from unnest(array['full', 'empty']) name
     returning id`,
    [id],
  );
  await owner.query(
    `update products set category_id = case when item_amount % 2 = 0 then $2::uuid end,
       sale_price = case when item_amount % 50 = 7 then price / 2 end where store_id = $1`,
    [id, rows[0].id],
  );
  return rows.map((row) => row.id);
}

await withDatabase(async (database) => {
  const owner = new pg.Client({ connectionString: database.url });
  // If the work below fails, the database stops first. The resulting error must not hide the failure.
  owner.on('error', () => undefined);
  await owner.connect();
  const store = await seedStore(owner, { products: PRODUCTS, orders: 100, customers: 100, deliveries: 1 });
  const [full, empty] = await openShop(owner, store, new SecretBox([database.key]));
  await fold(database.systemUrl);
  await owner.query('vacuum analyze');
  const { child, port } = await startService(database);

  const headers = { Authorization: `tma ${initData()}`, Connection: 'keep-alive' };
  const ask = async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}/storefront/${store.id}/${path}`, { headers });
    const body = await response.json();
    if (!body.ok) throw new Error(`${path}: ${body.error.message}`);
    return body.data;
  };
  const first = await ask('products?take=20');
  const found = await ask('products?take=20&text=title');
  if (found.items.length < 20) throw new Error('The search finds too little to be measured.');
  const paths = {
    'first page': 'products?take=20',
    'next page': `products?take=20&cursor=${first.nextCursor}`,
    'a category of half of them': `products?take=20&categoryId=${full}`,
    'a category without products': `products?take=20&categoryId=${empty}`,
    'on sale': 'products?take=20&onSale=true',
    'on sale in a category without products': `products?take=20&onSale=true&categoryId=${empty}`,
    'a word that all have': 'products?take=20&text=title',
    'a word that none has': 'products?take=20&text=zebra',
    'one product': `products/${first.items[0].id}`,
  };
  const times = Object.fromEntries(Object.keys(paths).map((label) => [label, []]));
  for (let i = 0; i < CALLS + WARM_UP; i++)
    for (const [label, path] of Object.entries(paths)) {
      const started = performance.now();
      await ask(path);
      if (i >= WARM_UP) times[label].push(performance.now() - started);
    }
  console.log(`\n${PRODUCTS} products, ${CALLS} calls each; the goal is ${GOAL_MS} ms in the median`);
  console.table(
    Object.fromEntries(
      Object.entries(times).map(([label, its]) => {
        const sorted = its.toSorted((a, b) => a - b);
        const p95 = sorted[Math.floor(sorted.length * 0.95)];
        return [label, { 'median, ms': round(median(its)), 'p95, ms': round(p95) }];
      }),
    ),
  );
  await owner.end();
  await stop(child);
});
