// npm run bench:move: how long is a big store read-only while it moves to another server?
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { moveStore } from '../../dist/src/operator/backup/moving/move-store.js';
import { seededForSearches, seedStore } from '../growth/seed.mjs';
import { round, startService, withDatabase } from '../service.mjs';

const ORDERS = Number(process.env.BENCH_ORDERS ?? 200_000);
const PRODUCTS = Math.ceil(ORDERS / 10);
const CHANGES_A_SECOND = 50;
const STATUSES = ['PROCESSING', 'PENDING'];

const connected = async (connectionString) => {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};
const seconds = (since) => round((performance.now() - since) / 1000, 1);

await withDatabase((source) =>
  withDatabase(async (other) => {
    let began = performance.now();
    const { owner, made: store } = await seededForSearches(source, (connection) =>
      seedStore(connection, {
        products: PRODUCTS,
        orders: ORDERS,
        customers: ORDERS,
        deliveries: ORDERS,
      }),
    );
    console.log(`seeded in ${seconds(began)} s`);
    await (await connected(other.url)).query('create database away');
    const target = new URL(other.url);
    target.pathname = '/away';

    const { port } = await startService(source);
    const statuses = new Map();
    let isOver = false;
    const driving = (async () => {
      const { rows } = await owner.query(
        `select id from orders where store_id = $1 and status = 'PENDING' order by id limit 5000`,
        [store.id],
      );
      for (let n = 0; !isOver; n++) {
        const { status } = await fetch(`http://127.0.0.1:${port}/v1/set_order_status`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${store.token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({
            orderId: Number(rows[n % rows.length].id),
            status: STATUSES[Math.floor(n / rows.length) % 2],
          }),
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await sleep(1000 / CHANGES_A_SECOND);
      }
    })();
    began = performance.now();
    const { counts, readOnlyMs } = await moveStore(
      {
        ownerUrl: source.url,
        directUrl: source.systemUrl,
        encryptionKeys: [source.key],
        log: pino({ level: 'silent' }),
      },
      target.href,
      store.id,
    );
    isOver = true;
    await driving;
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    console.log({ rows, moved: `${seconds(began)} s`, readOnlyMs, statuses });
  }),
);
