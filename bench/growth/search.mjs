// npm run bench:search: what somebody waits for who types into a search of a big shop, which has 300 small
// ones beside it. One connection calls in turns, so the figures are latencies.
import { seededForSearches, seedStore } from './seed.mjs';
import { median, round, startService, stop, withDatabase } from '../service.mjs';

const SCALE = Number(process.env.BENCH_SCALE ?? 1);
const BIG = { products: 100_000 * SCALE, customers: 100_000 * SCALE, orders: 300_000 * SCALE };
const SMALL = { products: 100, customers: 100, orders: 200 };
const SMALL_STORES = 300;
const ROUNDS = 15;
const WARM_UP = 5;
/** Milliseconds: of a search, of a word just too rare for the newest records, and with more than a text. */
const [ALONE, TOO_RARE, FILTERED, NEVER_MET] = [60, 120, 250, 500];

const FILTERS = {
  find_products: { frequent: { isHidden: true }, never: { updatedFrom: '2100-01-01T00:00:00Z' } },
  find_orders: { frequent: { statuses: ['PROCESSING'] }, never: { createdTo: '2001-01-01T00:00:00Z' } },
  find_customers: { frequent: { minSpent: 15_000 }, never: { isBanned: true } },
};
const SORTS = {
  find_products: ['oldest', 'recently_updated', 'least_recently_updated'],
  find_orders: ['oldest', 'recently_updated', 'least_recently_updated'],
  find_customers: ['oldest', 'most_spent', 'recently_ordered'],
};
/** What is typed, by how much of the records it finds. */
const TYPED = {
  find_products: {
    ...{ rare: 'pomegranate', half: 'cotton', 'two words': 'cotton shirt', 'a hundredth': 'linen' },
    ...{ 'one letter': 'b', 'two letters': 'ka', 'one digit': '4', 'two digits': '47', 'a code': 'P-31337' },
    nothing: 'qqqxyzzy',
  },
  find_orders: {
    ...{ rare: 'pomegranate', half: 'cotton', 'two words': 'cotton shirt', 'a sixth': 'berlin' },
    ...{ 'a hundredth': 'uzhhorod', 'one letter': 'b', 'two letters': 'ka', 'one digit': '4' },
    ...{ 'two digits': '47', 'four digits': '4567', 'a number': '29912', 'a phone': '0171 1234567' },
    ...{ 'a tracking number': '2045123', "a shopper's rare name": 'quetzalcoatl', nothing: 'qqqxyzzy' },
  },
  find_customers: {
    ...{ rare: 'quetzalcoatl', half: 'user', 'one letter': 'b', 'two letters': 'ka', 'one digit': '4' },
    ...{ 'two digits': '47', 'four digits': '4567', 'a phone': '0171 1234567', username: '@user_4712' },
    nothing: 'qqqxyzzy',
  },
};

/** Words of syllables, of which those with a low number are many times as frequent as the others. */
const WORDS = `
  create function pg_temp.hashed(name text, n bigint) returns bigint language sql immutable as
    $$ select hashtextextended(name || n, 1) & 1073741823 $$;
  create function pg_temp.word(name text, n bigint) returns text language sql immutable as $$
    select initcap(s[1 + w % 12] || s[1 + w / 12 % 12] || s[1 + w / 144 % 12])
    from (select array['ba', 'ler', 'ka', 'fé', 'sto', 'ße', 'ко', 'ва', 'лен', 'ni', 'ür', 'mo'] s,
      (power(pg_temp.hashed(name, n) % 100000 / 100000.0, 2) * 1727)::int w) x $$`;
const PRODUCTS = `update products p set title = concat_ws(' ',
    case when pg_temp.hashed('c', n) % 2 = 0 then 'Cotton' end,
    case when pg_temp.hashed('s', n) % 10 < 3 then 'Shirt' end,
    case when pg_temp.hashed('l', n) % 75 = 0 then 'Linen' end,
    pg_temp.word('p', n), pg_temp.word('q', n), case when n % 30000 = 77 then 'Pomegranate' end),
    product_id = 'P-' || n, is_hidden = n % 20 = 0, sku = 'SKU' || n
  from (select id, substr(product_id, 6)::int as n from products where store_id = $1) x
  where p.store_id = $1 and p.id = x.id`;
const CUSTOMERS = `update customers set first_name = pg_temp.word('f', id),
    last_name = pg_temp.word('g', id) || case when id % 50000 = 11 then 'Quetzalcoatl' else '' end,
    username = case when id % 2 = 0 then 'user_' || id end
  where store_id = $1`;
const ORDERS = `update orders set shipping_address = json_build_object(
      'name', pg_temp.word('f', id) || ' ' || pg_temp.word('g', id),
      'phone_number', (array['+49 171 ', '0171/', '+380 (67) ', '067 '])[1 + id % 4]
        || lpad((pg_temp.hashed('t', id) % 10000000)::text, 7, '0'),
      'shipping_address', json_build_object('street_line1', pg_temp.word('w', id) || ' ' || id % 200,
        'city', case when pg_temp.hashed('u', id) % 75 = 0 then 'Uzhhorod' else
          (array['Berlin', 'Kyiv', 'Львів', 'München', 'Odesa', 'Köln'])[1 + pg_temp.hashed('o', id) % 6]
        end)),
    tracking_number = case when status in ('SHIPPED', 'DELIVERED')
      then '2045' || lpad((pg_temp.hashed('n', id)::bigint * 10)::text, 10, '0') end,
    updated_at = created_at + pg_temp.hashed('a', id) % 100000 * interval '1 minute'
  where store_id = $1`;
const LINES = `update order_items i set product_id = p.product_id, title = p.title
  from (select product_id, title, substr(product_id, 3)::bigint as n from products where store_id = $1) p
  where i.store_id = $1 and p.n = 1 + pg_temp.hashed('i' || i.position, i.order_id) % $2`;

/** A store whose records have words and dates of their own, written without triggers, which take minutes. */
async function seedWithWords(owner, sizes) {
  await owner.query('begin');
  const store = await seedStore(owner, { ...sizes, deliveries: 1 });
  await owner.query('set local session_replication_role = replica');
  for (const statement of [PRODUCTS, CUSTOMERS, ORDERS]) await owner.query(statement, [store.id]);
  await owner.query(LINES, [store.id, sizes.products]);
  await owner.query('commit');
  return store;
}

const cases = Object.entries(TYPED).flatMap(([operation, typed]) => [
  ...Object.entries(typed).map(([label, text]) => ({
    ...{ operation, label, input: { text } },
    limit: label === 'a hundredth' ? TOO_RARE : ALONE,
  })),
  ...['half', 'rare'].map((label) => ({
    ...{ operation, label: `${label}, with a filter`, limit: FILTERED },
    input: { text: typed[label], ...FILTERS[operation].frequent },
  })),
  {
    ...{ operation, label: 'half, with a filter that none meets', limit: NEVER_MET },
    input: { text: typed.half, ...FILTERS[operation].never },
  },
  ...SORTS[operation].flatMap((sort) =>
    ['half', 'rare'].map((label) => ({
      ...{ operation, label: `${label}, ${sort}`, limit: FILTERED, input: { text: typed[label], sort } },
    })),
  ),
]);

await withDatabase(async (database) => {
  const { owner, made: big } = await seededForSearches(database, async (connection) => {
    await connection.query(WORDS);
    const store = await seedWithWords(connection, BIG);
    console.log('seeded the big shop');
    for (let n = 0; n < SMALL_STORES; n++) await seedWithWords(connection, SMALL);
    return store;
  });
  const { child, port } = await startService(database);

  const headers = { Authorization: `Bearer ${big.token}`, 'Content-Type': 'application/json' };
  const find = async ({ operation, input }) => {
    const began = performance.now();
    const url = `http://127.0.0.1:${port}/v1/${operation}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) });
    const { ok, data, error } = await answer.json();
    if (!ok) throw new Error(`${operation}: ${error.message}`);
    return { ms: performance.now() - began, total: data.total };
  };
  const figures = [];
  for (const asked of cases) {
    const found = [];
    for (let i = 0; i < WARM_UP + ROUNDS; i++) found.push(await find(asked));
    const times = found.slice(WARM_UP).map(({ ms }) => ms);
    const { operation, label: search, limit } = asked;
    figures.push({
      ...{ operation, search, found: found[0].total },
      ...{ 'median, ms': round(median(times), 1), 'most, ms': round(Math.max(...times), 1), limit },
      over: median(times) > limit ? 'over' : '',
    });
  }
  console.log(`${JSON.stringify(BIG)}, beside ${SMALL_STORES} stores of ${JSON.stringify(SMALL)}`);
  console.table(figures);
  await owner.end();
  await stop(child);
});
