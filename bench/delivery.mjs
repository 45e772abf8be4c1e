// Deliveries: as many as go out while the queue never runs dry, and how soon each follows its change at a steady rate.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ORDER_JSON } from '../dist/src/groups/orders/order.record.js';
import { isShort, load } from './measure.mjs';
import { round, startService, stop } from './service.mjs';

const MEASURED_MS = isShort ? 10_000 : 60_000;
const BACKLOG = 20_000;
const RATE = 300;
const RATE_SECONDS = isShort ? 5 : 20;

/** Due deliveries with the bodies that changes of these orders would have, $1 of them. */
const FILL = `
  with events as (insert into order_events (store_id, id, order_id, event, body, created_at)
  select o.store_id, d.id, o.id, 'order.updated', convert_to('{"id":"' || d.id || '","event":"order.updated","createdAt":"' ||
    to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":' || ${ORDER_JSON} || '}', 'UTF8'), now()
  from (select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || substr(md5(random()::text), 1, 20))::uuid as id,
     1 + floor(random() * $2)::int as order_id from generate_series(1, $1)) d
  join orders o on o.id = d.order_id returning store_id, id)
  insert into webhook_deliveries (store_id, id, next_attempt_at, created_at) select store_id, id, now(), now() from events`;

async function connected(url) {
  const client = new pg.Client({ connectionString: url });
  // When the work fails, the database ends first; that must not hide the failure.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** @param receiver the process of bench/receiver.mjs that all endpoints point at */
export async function measureDelivery(database, receiver, options) {
  const owner = await connected(database.url);
  const count = async (status) =>
    Number((await owner.query('select count(*) from webhook_deliveries where status = $1', [status])).rows[0].count);
  const received = async () => {
    receiver.output = '';
    receiver.kill('SIGUSR2');
    while (!receiver.output.includes('\n')) await sleep(20);
    return JSON.parse(receiver.output);
  };
  await owner.query('delete from webhook_attempts');
  await owner.query('delete from webhook_deliveries');
  await owner.query('delete from order_events');
  await owner.query(FILL, [BACKLOG, options.orders]);
  const service = await startService(database, { SHOP_ROLES: 'web,deliver' });
  await sleep(2_000);
  await received();
  const from = performance.now();
  let driest = BACKLOG;
  while (performance.now() - from < MEASURED_MS) {
    const pending = await count('pending');
    driest = Math.min(driest, pending);
    if (pending < BACKLOG) await owner.query(FILL, [BACKLOG - pending, options.orders]);
    await sleep(200);
  }
  const seconds = (performance.now() - from) / 1000;
  const sustained = round((await received()).received / seconds, 0);
  console.log(`\ndelivery: ${sustained} a second for ${round(seconds, 0)} s, never fewer than ${driest} due`);
  const { rows } = await owner.query('select round(avg(length(body))) as bytes from order_events');

  while ((await count('pending')) > 0) await sleep(200);
  await sleep(1_000);
  await received();
  const { perSecond } = await load({
    ...options,
    ports: [service.port],
    operation: 'set_order_status',
    seconds: RATE_SECONDS,
    ratePerSecond: RATE,
  });
  await sleep(1_500);
  const steady = { changesPerSecond: round(perSecond, 0), ...(await received()) };
  console.log('commit to POST at a steady rate, ms:');
  console.table([steady]);
  await stop(service.child);
  await owner.end();
  return { sustained, driest, bodyBytes: Number(rows[0].bytes), steady };
}

export const RECEIVER = path.join(import.meta.dirname, 'receiver.mjs');
