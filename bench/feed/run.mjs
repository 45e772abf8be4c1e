// npm run bench:feed: measures what the event feed adds to the processor time of a change of status, for the
// service and the database together. One service is switched every second or so between writing events and
// writing none. It does this for stores with a webhook, whose deliveries would hold the bodies without the
// feed, and for stores without one, where nothing would be written without the feed.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SecretBox } from '../../dist/src/platform/crypto/secret-box.js';
import { newToken } from '../../dist/src/platform/auth/token.js';
import { cpuMicros, cpuOfDatabase, isShort, load, spentBy } from '../measure.mjs';
import { seed } from '../seed.mjs';
import { median, round, startService, stop, withDatabase } from '../service.mjs';

const STORES = 200;
const ORDERS = 50_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? (isShort ? 10 : 60));
const CALLS = 300;
const WARM_UP = isShort ? 2_000 : 10_000;
const CONNECTIONS = 8;

/** The columns and index that deliveries had before there were events. */
const BODIES_IN_DELIVERIES = `
  alter table webhook_deliveries add column order_id bigint, add column event text, add column body bytea;
  create index webhook_deliveries_of_order on webhook_deliveries (store_id, order_id)
    where order_id is not null`;

await withDatabase(async (database) => {
  const box = new SecretBox([database.key]);
  const { stores, tokens } = await seed(database.url, { stores: STORES, orders: ORDERS, newToken });
  const owner = new pg.Client({ connectionString: database.url });
  // If the work below fails, the database stops first. The resulting error must not hide the failure.
  owner.on('error', () => undefined);
  await owner.connect();
  await owner.query(BODIES_IN_DELIVERIES);
  const [{ backend }] = (await owner.query('select pg_backend_pid() as backend')).rows;
  const { child, pid, port } = await startService(database, {}, 'feed/without-feed.mjs');

  async function change(calls) {
    const options = {
      operation: 'set_order_status',
      ports: [port],
      orders: ORDERS,
      tokens,
      connections: CONNECTIONS,
    };
    const { errors } = await load({ ...options, calls });
    if (errors > 0) throw new Error(`${errors} changes failed`);
  }

  async function switchFeed() {
    const already = child.output.length;
    child.kill('SIGUSR2');
    while (!child.output.includes('switched', already)) await sleep(5);
  }

  /** @returns µs per call, of the service and of all processes of the database */
  async function spent() {
    const [service, base] = [cpuMicros(pid), cpuOfDatabase(backend)];
    await change(CALLS);
    const found = {
      service: (cpuMicros(pid) - service) / CALLS,
      database: spentBy(base, cpuOfDatabase(backend)) / CALLS,
    };
    return { ...found, both: found.service + found.database };
  }

  const table = {};
  /** The feed is on at the beginning and at the end. */
  async function compare(what) {
    for (let i = 0; i < 2; i++) {
      await change(WARM_UP);
      await switchFeed();
    }
    const found = { on: [], off: [] };
    for (let i = 0; i < 2 * ROUNDS; i++) {
      // On, off, off, on, on, off …: a steady drift of the machine affects both equally.
      if (i % 2 === 1) await switchFeed();
      const isOn = [true, false, false, true][i % 4];
      found[isOn ? 'on' : 'off'].push(await spent());
    }
    if (ROUNDS % 2 === 1) await switchFeed();
    for (const key of ['service', 'database', 'both']) {
      const more = found.on.map((its, i) => its[key] - found.off[i][key]).sort((a, b) => a - b);
      const off = median(found.off.map((its) => its[key]));
      table[`${what}, ${key}`] = {
        'without the feed, µs': round(off, 0),
        'more with it, µs': round(median(more), 0),
        'more, %': round((median(more) / off) * 100, 1),
        'half of the rounds, µs': [0.25, 0.75]
          .map((share) => round(more[Math.floor(more.length * share)], 0))
          .join(' to '),
      };
    }
  }
  await compare('no webhook');
  await owner.query(
    `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
     select store, 'http://127.0.0.1:9/', secret, now(), now()
       from unnest($1::uuid[], $2::text[]) as t (store, secret)`,
    [stores, stores.map((id) => box.seal('whsec_bench', `webhook:${id}`))],
  );
  await compare('webhook');
  console.log(
    `\nset_order_status, ${ROUNDS} rounds of ${CALLS} calls each way, ${CONNECTIONS} connections; ` +
      'processor time a call',
  );
  console.table(table);
  await stop(child);
  await owner.end();
});
