import pg from 'pg';
import { hashToken } from '../dist/src/platform/auth/token.js';

/**
 * Creates orders, spread evenly over the stores, with one to three lines each, and `products` products in
 * each store. The database server generates everything itself, in a few seconds.
 */
export async function seed(
  ownerUrl,
  { stores = 200, orders = 100_000, products = 0, newToken, webhookUrl, sealedSecret },
) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query(
    `insert into stores (id, name, currency, plan, created_at, updated_at)
     select gen_random_uuid(), 'Store ' || n, 'USD', 'pro', now(), now() from generate_series(1, $1) n
       returning id`,
    [stores],
  );
  const ids = rows.map(({ id }) => id);
  const tokens = ids.map(() => newToken());
  await client.query(
    `insert into api_tokens (store_id, id, name, scope, token_hash, created_at)
     select store, gen_random_uuid(), 'bench', 'admin', hash, now()
       from unnest($1::uuid[], $2::text[]) as t (store, hash)`,
    [ids, tokens.map(hashToken)],
  );
  await client.query(
    `insert into customers (store_id, id, first_name, last_name, username, created_at, updated_at)
     select s.id, n, 'First ' || n, 'Last ' || n, 'user' || n, now(), now()
       from stores s, generate_series(1, 50) n`,
  );
  await client.query(
    `insert into products (store_id, id, product_id, title, description, images, price, item_amount,
      created_at, updated_at)
     select s.id, gen_random_uuid(), 'prod-' || n, 'Product title number ' || n, 'Some words about it', '{}',
       10.5, 100, now(), now()
     from stores s, generate_series(1, $1::int) n`,
    [products],
  );
  await client.query(
    `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
      shipping_address, checkout_data, created_at, updated_at)
     select ($2::uuid[])[1 + (n - 1) % $3], n, 'PENDING', 'card', 1000 + n % 9000, 'USD', 1 + n % 50,
       '{"name":"Shopper","phone_number":"+15550100"}',
       '[{"id":"email","label":"E-mail","type":"email","value":"shopper@example.com"},'
       '{"id":"addr","label":"Address","type":"textarea","value":"Street 1, building 5, flat 12"}]',
       now() - n * interval '1 minute', now() - n * interval '1 minute'
     from generate_series(1, $1) n`,
    [orders, ids, stores],
  );
  await client.query(
    `insert into order_phones (store_id, order_id, nth, customer_id, phone, digits)
     select store_id, id, 1, messenger_user_id, '+15550100', '00105551' from orders`,
  );
  await client.query(
    `insert into order_items (store_id, order_id, position, product_id, title, quantity, price,
      variant_option_title, variant_value)
     select o.store_id, o.id, p, 'prod-' || (o.id % 500), 'Product title number ' || (o.id % 500), 1 + p,
       500 + p, 'Color', 'Black'
     from orders o, generate_series(1, 3) p where p <= 1 + o.id % 3`,
  );
  if (webhookUrl) {
    for (const id of ids) {
      await client.query(
        `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
         values ($1, $2, $3, now(), now())`,
        [id, webhookUrl, sealedSecret(id)],
      );
    }
  }
  await client.query('insert into order_counters select store_id, max(id) from orders group by store_id');
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
  return { stores: ids, tokens };
}
