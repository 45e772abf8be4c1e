// Measures deliveries: the highest rate while the queue never runs dry, the delay after a change at a steady
// rate, and the highest rate while thousands of endpoints hang.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ORDER_JSON } from '../dist/src/groups/orders/order/order.record.js';
import { isShort, load } from './measure.mjs';
import { round, startService, stop } from './service.mjs';

const MEASURED_MS = isShort ? 10_000 : 45_000;
const BACKLOG = 20_000;
const RATE = 300;
const RATE_SECONDS = isShort ? 5 : 20;

/** Inserts $1 due deliveries, with the bodies that changes of these orders would have. */
const FILL = `
  with events as (insert into order_events (store_id, id, order_id, event, body, created_at)
  select o.store_id, d.id, o.id, 'order.updated',
    convert_to('{"id":"' || d.id || '","event":"order.updated","createdAt":"' ||
    to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":' || ${ORDER_JSON} || '}',
    'UTF8'), now()
  from (select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12,
    '0') || substr(md5(random()::text), 1, 20))::uuid as id,
     1 + floor(random() * $2)::int as order_id from generate_series(1, $1)) d
  join orders o on o.id = d.order_id returning store_id, id)
  insert into webhook_deliveries (store_id, id, next_attempt_at, created_at) select store_id, id, now(), now()
    from events`;

/** Counts deliveries of the stores whose endpoints answer. */
const COUNT = `select count(*) from webhook_deliveries where status = $1
  and store_id not in (select id from stores where name like 'Hanging %')`;

const HANGING = 2_500;
/** Per hanging endpoint. The service tries such an endpoint with one delivery at a time. */
const HANGING_DELIVERIES = 4;

/** Adds stores whose endpoint accepts requests and never answers, each with due deliveries. */
async function addHanging(owner, { hangingUrl, sealedSecret }) {
  const { rows } = await owner.query(
    `insert into stores (id, name, currency, plan, created_at, updated_at)
     select gen_random_uuid(), 'Hanging ' || n, 'USD', 'pro', now(), now() from generate_series(1, $1) n
       returning id`,
    [HANGING],
  );
  const ids = rows.map(({ id }) => id);
  await owner.query(
    `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
     select store, $3, secret, now(), now() from unnest($1::uuid[], $2::text[]) as t (store, secret)`,
    [ids, ids.map(sealedSecret), hangingUrl],
  );
  await owner.query(
    `with events as (
       insert into order_events (store_id, id, order_id, event, body, created_at)
       select store, uuidv7(), 1, 'order.updated', convert_to('{}', 'UTF8'), now()
         from unnest($1::uuid[]) store, generate_series(1, $2::int)
       returning store_id, id
     ) insert into webhook_deliveries (store_id, id, next_attempt_at, created_at)
     select store_id, id, now(), now() from events`,
    [ids, HANGING_DELIVERIES],
  );
}

async function connected(url) {
  const client = new pg.Client({ connectionString: url });
  // If the work fails, the database stops first. The resulting error must not hide the failure.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * @param receiver the process of bench/receiver.mjs, to which all endpoints point
 * @param hanging `hangingUrl`, the receiver's address that never answers, and `sealedSecret` of a store
 */
export async function measureDelivery(database, receiver, hanging, options) {
  const owner = await connected(database.url);
  const count = async (status) => Number((await owner.query(COUNT, [status])).rows[0].count);
  /** @returns how many were due before */
  const fill = async () => {
    const pending = await count('pending');
    if (pending < BACKLOG) await owner.query(FILL, [BACKLOG - pending, options.orders]);
    return pending;
  };
  const received = async () => {
    receiver.output = '';
    receiver.kill('SIGUSR2');
    while (!receiver.output.includes('\n')) await sleep(20);
    return JSON.parse(receiver.output);
  };
  await owner.query('delete from webhook_attempts');
  await owner.query('delete from webhook_deliveries');
  await owner.query('delete from order_events');
  await fill();
  const service = await startService(database, { SHOP_ROLES: 'web,deliver' });
  await sleep(2_000);
  /** Measures the deliveries per second while there are always some due. */
  const rate = async (what) => {
    await fill();
    await received();
    const from = performance.now();
    let driest = BACKLOG;
    while (performance.now() - from < MEASURED_MS) {
      driest = Math.min(driest, await fill());
      await sleep(200);
    }
    const seconds = (performance.now() - from) / 1000;
    const perSecond = round((await received()).received / seconds, 0);
    console.log(
      `\n${what}: ${perSecond} a second for ${round(seconds, 0)} s, never fewer than ${driest} due`,
    );
    return { perSecond, driest };
  };
  const sustained = await rate('deliveries');
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
  await addHanging(owner, hanging);
  const besideHanging = await rate(`deliveries beside ${HANGING} endpoints that hang`);
  await stop(service.child);
  await owner.end();
  return { sustained, besideHanging, hanging: HANGING, bodyBytes: Number(rows[0].bytes), steady };
}

export const RECEIVER = path.join(import.meta.dirname, 'receiver.mjs');
