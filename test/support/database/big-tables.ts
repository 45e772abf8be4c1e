import { randomUUID } from 'node:crypto';
import pg from 'pg';

/**
 * The tables that hold most of an installation's data. Migrations must not rewrite any of them in one step.
 */
export const BIG_TABLES = [
  'orders',
  'order_items',
  'order_events',
  'webhook_deliveries',
  'audit_log',
  'customers',
  'products',
];

/**
 * The statements that fill each table, with `n` rising from 1; $1 is the store. References between rows do
 * not matter.
 */
const ROWS: Record<string, string> = {
  stores: `insert into stores (id, name, currency, plan, created_at, updated_at)
    values ($1, 'Filled', 'USD', 'pro', now(), now())`,
  customers: `insert into customers (store_id, id, created_at, updated_at) select $1, n, now(), now()`,
  products: `insert into products (store_id, id, product_id, title, description, images, price, created_at,
    updated_at)
    select $1, gen_random_uuid(), 'sku-' || n, 'Thing ' || n, '', '{}', 10, now(), now()`,
  orders: `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
    created_at, updated_at)
    select $1, n, 'PENDING', 'cash', 1000, 'USD', n, now(), now()`,
  order_items: `insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
    select $1, n, 1, 'sku-' || n, 'Thing ' || n, 1, 1000`,
  order_events: `insert into order_events (store_id, id, event, body, created_at)
    select $1, gen_random_uuid(), 'order.created', '', now()`,
  webhook_deliveries: `insert into webhook_deliveries (store_id, id, created_at)
    select $1, gen_random_uuid(), now()`,
  audit_log: `insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, input,
    outcome, request_id)
    select $1, gen_random_uuid(), now(), 'token', 'filled', 'update_brand', 'http', '{}', 'ok', 'filled'`,
};

/**
 * Fills the big tables for a separate store, a thousand rows per transaction. @param ownerUrl the URL of a
 * superuser
 */
export async function fillBigTables(ownerUrl: string, rows: number, tables = BIG_TABLES): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const storeId = randomUUID();
  try {
    // Without triggers, since the data that they maintain does not matter.
    await client.query('set session_replication_role = replica');
    for (const [table, text] of Object.entries(ROWS)) {
      if (table === 'stores') await client.query(text, [storeId]);
      else if (tables.includes(table))
        for (let from = 1; from <= rows; from += 1_000)
          await client.query(`${text} from generate_series(${from}, ${Math.min(from + 999, rows)}) n`, [
            storeId,
          ]);
    }
  } finally {
    await client.end();
  }
}
