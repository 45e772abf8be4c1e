// npm run bench:feed: what the event feed adds to the processor time of a change of status, of the service and of the database
// together. One service is switched between writing events and writing none, every second or so, in stores without a webhook (which
// would have nothing to write without the feed) and in stores with one (whose deliveries would hold the bodies).
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SecretBox } from '../dist/src/platform/crypto/secret-box.js';
import { newToken } from '../dist/src/platform/auth/token.js';
import { cpuMicros, cpuOfDatabase, isShort, load, spentBy } from './measure.mjs';
import { seed } from './seed.mjs';
import { median, round, startService, stop, withDatabase } from './service.mjs';

const STORES = 200;
const ORDERS = 50_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? (isShort ? 10 : 60));
const CALLS = 300;
const WARM_UP = isShort ? 2_000 : 10_000;
const CONNECTIONS = 8;

/** What a delivery had before there were events. */
const BODIES_IN_DELIVERIES = `
  alter table webhook_deliveries add column order_id bigint, add column event text, add column body bytea;
  create index webhook_deliveries_of_order on webhook_deliveries (store_id, order_id) where order_id is not null`;

await withDatabase(async (database) => {
  const box = new SecretBox([database.key]);
  const { stores, tokens } = await seed(database.url, { stores: STORES, orders: ORDERS, newToken });
  const owner = new pg.Client({ connectionString: database.url });
  // When the work below fails, the database ends first; that must not hide the failure.
  owner.on('error', () => undefined);
  await owner.connect();
  await owner.query(BODIES_IN_DELIVERIES);
  const [{ backend }] = (await owner.query('select pg_backend_pid() as backend')).rows;
  const { child, pid, port } = await startService(database, {}, 'without-feed.mjs');

  async function change(calls) {
    const options = { operation: 'set_order_status', ports: [port], orders: ORDERS, tokens, connections: CONNECTIONS };
    const { errors } = await load({ ...options, calls });
    if (errors > 0) throw new Error(`${errors} changes failed`);
  }

  async function switchFeed() {
    const already = child.output.length;
    child.kill('SIGUSR2');
    while (!child.output.includes('switched', already)) await sleep(5);
  }

  /** @returns µs a call, of the service and of all processes of the database */
  async function spent() {
    const [service, base] = [cpuMicros(pid), cpuOfDatabase(backend)];
    await change(CALLS);
    const found = { service: (cpuMicros(pid) - service) / CALLS, database: spentBy(base, cpuOfDatabase(backend)) / CALLS };
    return { ...found, both: found.service + found.database };
  }

  const table = {};
  /** Begins and ends with the feed on. */
  async function compare(what) {
    for (let i = 0; i < 2; i++) {
      await change(WARM_UP);
      await switchFeed();
    }
    const found = { on: [], off: [] };
    for (let i = 0; i < 2 * ROUNDS; i++) {
      // On, off, off, on, on, off …: whatever changes steadily meanwhile happens to both.
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
        'half of the rounds, µs': [0.25, 0.75].map((share) => round(more[Math.floor(more.length * share)], 0)).join(' to '),
      };
    }
  }
  await compare('no webhook');
  await owner.query(
    `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
     select store, 'http://127.0.0.1:9/', secret, now(), now() from unnest($1::uuid[], $2::text[]) as t (store, secret)`,
    [stores, stores.map((id) => box.seal('whsec_bench', `webhook:${id}`))],
  );
  await compare('webhook');
  console.log(
    `\nset_order_status, ${ROUNDS} rounds of ${CALLS} calls each way, ${CONNECTIONS} connections; processor time a call`,
  );
  console.table(table);
  await stop(child);
  await owner.end();
});
