// What bench:growth measures: a store with its orders, products, customers and deliveries.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { writeAllSearchDocuments } from '../../dist/src/operator/backup/search-documents.js';
import { SalesFolding } from '../../dist/src/stores/sales-folding.service.js';
import { hashToken, newToken } from '../../dist/src/platform/auth/token.js';
import { SystemDatabase } from '../../dist/src/platform/database/system.js';

export async function seedStore(owner, { products, orders, customers, deliveries }) {
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
    `insert into customers (store_id, id, first_name, last_name, username, created_at, updated_at)
     select $1, n, 'First' || n % 5000, 'Last' || n % 7001, 'user' || n, now(), now()
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
       insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
         created_at, updated_at)
       select $1, n, (array['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'])[1 + n % 5], 'card',
         1000 + n % 9000, 'USD',
         1 + n % $3::int, now() - n * interval '90 days' / $2::int, now() from generate_series(1, $2::int) n
         returning id
     )
     insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
     select $1, id, p, 'prod-' || (id * p) % 2000, 'Product title number ' || (id * p) % 2000, p, 500
       from placed, generate_series(1, 2) p`,
    [id, orders, customers],
  );
  await owner.query('insert into order_counters values ($1, $2)', [id, orders]);
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
       insert into users (id, email, email_key, password_hash, created_at)
         values (gen_random_uuid(), $2, $2, '', now())
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

/** Builds the index of searches once the work is done: that is far quicker than to extend it row by row. */
export async function withSearchIndexLast(owner, work) {
  const { rows } = await owner.query(
    `select indexdef from pg_indexes where indexname = 'search_documents_found'`,
  );
  await owner.query('drop index search_documents_found');
  const done = await work();
  for (const { indexdef } of rows) await owner.query(indexdef);
  await owner.query('vacuum analyze');
  return done;
}

/**
 * Seeds a database for a bench that searches.
 * @param seed is given a connection of the owner, and says what it has made
 * @returns that, and the connection
 */
export async function seededForSearches(database, seed) {
  const owner = new pg.Client({ connectionString: database.url });
  // If the bench fails, the database stops first. The resulting error must not hide the failure.
  owner.on('error', () => undefined);
  await owner.connect();
  const made = await withSearchIndexLast(owner, async () => {
    const seeded = await seed(owner);
    await fold(database.systemUrl);
    return seeded;
  });
  return { owner, made };
}

/**
 * Does what SQL did not: the documents by which records are found, and the background work that a process of
 * the service starts a minute after its own start.
 */
export async function fold(systemUrl) {
  await writeAllSearchDocuments(systemUrl);
  const system = new SystemDatabase(systemUrl, { max: 1, onError: () => undefined });
  await new SalesFolding(system, { now: () => new Date() }).fold();
  await system.close();
}
