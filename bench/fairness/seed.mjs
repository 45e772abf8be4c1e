import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { hash } from '@node-rs/argon2';
import { writeAllSearchDocuments } from '../../dist/src/operator/backup/search-documents.js';
import { withSearchIndexLast } from '../growth/seed.mjs';

export const PASSWORD = 'correct horse battery staple';

/**
 * Makes one store large, with all its products of one brand, and gives it an owner who can sign in.
 * @returns the ids that the attacks name
 */
export async function makeLarge({ url, systemUrl }, store, { products, customers, orders }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const brandId = randomUUID();
  const userId = randomUUID();
  const email = 'owner@large.example';
  const run = (text, values) => client.query(text, values);
  await run(
    `insert into brands (store_id, id, name, slug, is_active, created_at, updated_at)
     values ($1, $2, 'Large', 'large', true, now(), now())`,
    [store, brandId],
  );
  await run(
    `insert into products (store_id, id, product_id, title, description, images, price, item_amount, brand_id,
       created_at, updated_at)
     select $1, gen_random_uuid(), 'large-' || n, 'Mug number ' || n, 'Some words about it', '{}', 10.5, 100,
       $2, now(), now()
     from generate_series(1, $3::int) n`,
    [store, brandId, products],
  );
  await run(
    `insert into customers (store_id, id, first_name, last_name, created_at, updated_at)
     select $1, 1000 + n, 'First ' || n, 'Last ' || n, now(), now() from generate_series(1, $2::int) n`,
    [store, customers],
  );
  await run(
    `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
       shipping_address, checkout_data, created_at, updated_at)
     select $1, 1000000 + n, 'PROCESSING', 'card', 1000 + n % 9000, 'USD', 1001 + n % $3::int, '{}', '[]',
       now() - n * interval '5 minutes', now() - n * interval '5 minutes'
     from generate_series(1, $2::int) n`,
    [store, orders, customers],
  );
  await run('update order_counters set last = $2 where store_id = $1', [store, 1_000_000 + orders]);
  await run(
    `insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
     select o.store_id, o.id, 1, 'large-' || (o.id % $2::int), 'Mug number ' || (o.id % $2::int), 1,
       o.total_price
     from orders o where o.store_id = $1 and o.id > 1000000`,
    [store, products],
  );
  await run(
    `insert into users (id, email, email_key, password_hash, created_at) values ($1, $2, $2, $3, now())`,
    [userId, email, await hash(PASSWORD)],
  );
  await run(
    `insert into store_members (store_id, user_id, role, created_at) values ($1, $2, 'owner', now())`,
    [store, userId],
  );
  const { rows } = await run('select id from products where store_id = $1 and brand_id = $2 limit 1', [
    store,
    brandId,
  ]);
  await withSearchIndexLast(client, () => writeAllSearchDocuments(systemUrl));
  await client.end();
  return { brandId, email, productId: rows[0].id };
}
