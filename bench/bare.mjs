// The server to compare with: node:http, pg and the service's own statements, and nothing else. Its reads are
// pipelined on equally few connections.
import { createServer } from 'node:http';
import pg from 'pg';
import {
  CHANGE_ORDER,
  GET_ORDER,
  LIST_ORDERS,
  LOCK_ORDER_ROW,
} from '../dist/src/groups/orders/order/order.statements.js';
import { SHARING } from '../dist/src/platform/database/connections/read-connections.js';

const stores = process.env.STORES.split(',');
const write = new pg.Pool({ connectionString: process.env.STORE_URL, max: 10, pipeline: true });
const INSERT_AUDIT = {
  name: 'audit',
  text: `insert into audit_log (store_id, id, at, actor_kind, actor_id, actor_name, operation, transport,
    target, input, changes, outcome, request_id)
         values ($1, $2, $3, 'token', 'x', 'bench', $4, 'http', $5, $6, $7, 'ok', 'bare')`,
};

/**
 * Reads use connections like the service does: they prefer the first connection that has little under way, so
 * that a few are busy instead of all of them now and then.
 */
const readers = await Promise.all(
  Array.from({ length: SHARING.connections }, async () => {
    const client = new pg.Client({ connectionString: process.env.OWNER_URL, pipeline: true });
    await client.connect();
    return { client, waiting: 0 };
  }),
);

const valuesOf = (statement, named, first) => [
  ...first,
  ...statement.parameters.map((parameter) => named[parameter]),
];

function read(name, statement, store, named) {
  const { text } = statement;
  const values = valuesOf(statement, named, [store]);
  const reader =
    readers.find(({ waiting }) => waiting < SHARING.queue) ??
    readers.reduce((best, next) => (next.waiting < best.waiting ? next : best));
  reader.waiting++;
  return new Promise((resolve, reject) => {
    const callback = (error, result) => {
      reader.waiting--;
      if (error) reject(error);
      else resolve(result.rows);
    };
    reader.client.query(Object.assign(new pg.Query(text, values), { name, callback }));
  });
}

/** Order n belongs to store (n - 1) mod stores, as the seed assigns it. */
const storeOf = (orderId) => stores[(orderId - 1) % stores.length];

async function change(operation, orderId, { status, carrier = null, trackingNumber = null }, always) {
  const store = storeOf(orderId);
  const client = await write.connect();
  const now = new Date();
  const begun = [
    client.query('BEGIN'),
    client.query({ name: 'store', text: `select set_config('shop.store_id', $1, true)`, values: [store] }),
    client.query({
      name: 'lock',
      text: LOCK_ORDER_ROW.text,
      values: valuesOf(LOCK_ORDER_ROW, { orderId }, [store]),
    }),
  ];
  const given = { orderId, status, trackingUrl: null, carrier, trackingNumber, always };
  const event = { eventId: crypto.randomUUID(), eventAt: now };
  const values = valuesOf(CHANGE_ORDER, { ...given, ...event }, [store]);
  const changed = client.query({ name: 'change', text: CHANGE_ORDER.text, values });
  await Promise.all([...begun, changed]);
  const [row] = (await changed).rows;
  const input = JSON.stringify({ orderId, status });
  const audit = [
    store,
    crypto.randomUUID(),
    now,
    operation,
    String(orderId),
    input,
    JSON.stringify({ status: [row.old_status, status] }),
  ];
  await Promise.all([client.query({ ...INSERT_AUDIT, values: audit }), client.query('COMMIT')]);
  client.release();
  return `{"orderId":${orderId},"status":"${status}","order":${row.json}}`;
}

const operations = {
  async get_order({ orderId }) {
    const [{ json }] = await read('get', GET_ORDER, storeOf(orderId), { orderId });
    return json;
  },
  async list_orders({ take, cursor }) {
    const rows = await read('list', LIST_ORDERS, storeOf(Number(cursor)), { idBelow: cursor, take });
    return `{"items":[${rows.map(({ json }) => json).join(',')}],"nextCursor":"${rows.at(-1)?.id}"}`;
  },
  set_order_status: ({ orderId, status }) => change('set_order_status', orderId, { status }, false),
  ship_order: ({ orderId, carrier, trackingNumber }) =>
    change('ship_order', orderId, { status: 'SHIPPED', carrier, trackingNumber }, true),
};

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const data = await operations[request.url.slice('/v1/'.length)](JSON.parse(Buffer.concat(chunks)));
    const body = Buffer.from(`{"ok":true,"data":${data}}`);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
