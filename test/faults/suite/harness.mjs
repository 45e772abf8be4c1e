import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { paced } from '../../support/waiting/paced.mjs';
import { MIGRATIONS } from '../../../dist/migrations/all.js';
import { newToken } from '../../../dist/src/platform/auth/token.js';
import { SecretBox } from '../../../dist/src/platform/crypto/secret-box.js';
import { Client } from '../../../dist/src/platform/database/connections/connection.js';
import { prepareDatabase } from '../../../dist/src/platform/database/installation/migrate.js';
import { until } from './figures.mjs';
import { check } from './invariants.mjs';
import { RETRY_DELAYS, TIMEOUT_S } from './limits.mjs';
import { Receiver } from './receiver.mjs';
import { Postgres, Redis } from './servers.mjs';
import { Service } from './service.mjs';
import { Writer } from './writer.mjs';

/**
 * One PostgreSQL and one Redis for the whole suite. Faults run one after the other, each with stores of its
 * own.
 */
export class Lab {
  #folder = mkdtempSync(path.join(tmpdir(), 'shop-faults-'));
  #key = randomBytes(32).toString('base64');
  #stages = new Set();
  redis = null;

  /** @param create makes the database server in a folder: `url`, `stop()` */
  static async open(create = Postgres.create) {
    const lab = new Lab();
    try {
      lab.postgres = await create(lab.#folder);
      if (Redis.installed) lab.redis = await Redis.create();
      await prepareDatabase(lab.postgres.url, [lab.#key], MIGRATIONS);
      lab.owner = new pg.Pool({
        connectionString: lab.postgres.url,
        Client,
        max: 4,
        application_name: 'faults',
      });
      lab.owner.on('error', () => undefined);
      for (const signal of ['SIGINT', 'SIGTERM'])
        process.once(signal, () => void lab.close().then(() => process.exit(130)));
      return lab;
    } catch (error) {
      await lab.close();
      throw error;
    }
  }

  get env() {
    return {
      DATABASE_URL: this.postgres.url,
      ENCRYPTION_KEY: this.#key,
      RATE_LIMIT_READ: '1000000000',
      RATE_LIMIT_WRITE: '1000000000',
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      WEBHOOK_TIMEOUT: String(TIMEOUT_S),
      WEBHOOK_RETRY_DELAYS: RETRY_DELAYS.join(','),
    };
  }

  async query(text, values) {
    return (await this.owner.query(text, values)).rows;
  }

  sealed(store) {
    return new SecretBox([this.#key]).seal(store.secret, `webhook:${store.id}`);
  }

  /** Stores with orders, a token, and an endpoint at the receiver. */
  async stores(count, ordersEach, receiverUrl) {
    const made = Array.from({ length: count }, () => ({
      token: newToken(),
      secret: `whsec_${randomBytes(24).toString('base64')}`,
    }));
    const rows = await this.query(
      `insert into stores (id, name, currency, plan, created_at, updated_at)
       select gen_random_uuid(), 'Fault ' || n, 'USD', 'pro', now(), now() from generate_series(1, $1) n
         returning id`,
      [count],
    );
    const stores = made.map((store, i) => ({ ...store, id: rows[i].id, orders: [] }));
    const ids = stores.map(({ id }) => id);
    await this.query(
      `insert into api_tokens (store_id, id, name, scope, token_hash, created_at)
       select store, gen_random_uuid(), 'faults', 'admin', hash, now()
         from unnest($1::uuid[], $2::text[]) as t (store, hash)`,
      [ids, stores.map(({ token }) => createHash('sha256').update(token).digest('hex'))],
    );
    await this.query(
      `insert into customers (store_id, id, first_name, created_at, updated_at)
        select s, 9007199254740993, 'Zoë', now(), now() from unnest($1::uuid[]) s`,
      [ids],
    );
    const orders = await this.query(
      `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
        created_at, updated_at)
       select s, next_order_id(s), 'PENDING', 'card', 1000 + n, 'USD', 9007199254740993,
         now() - interval '1 day', now() - interval '1 day'
       from unnest($1::uuid[]) s, generate_series(1, $2) n returning store_id, id::float8`,
      [ids, ordersEach],
    );
    const byId = new Map(stores.map((store) => [store.id, store]));
    for (const { store_id, id } of orders) byId.get(store_id).orders.push(id);
    await this.query(
      `insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
       select store_id, id, 1, 'tea', 'Grüner Tee 茶 🍵', 2, 500 from orders where store_id = any($1)`,
      [ids],
    );
    await this.query(
      `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
       select *, now(), now() from unnest($1::uuid[], $2::text[], $3::text[])`,
      [ids, ids.map((id) => `${receiverUrl}/${id}`), stores.map((store) => this.sealed(store))],
    );
    return stores;
  }

  /** Everything one fault needs. It is taken down again when the work is over, whatever became of it. */
  async stage(options, work) {
    const stage = await Stage.set(this, options);
    this.#stages.add(stage);
    try {
      return await work(stage);
    } finally {
      await stage.strike();
      this.#stages.delete(stage);
    }
  }

  async close() {
    await Promise.all([...this.#stages].map((stage) => stage.strike()));
    await this.owner?.end();
    await this.redis?.kill();
    await this.postgres?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The stores, processes, receiver and writer of one fault. */
export class Stage {
  #services = new Set();

  /**
   * @param options.stores how many, each with `orders` orders  @param options.redis whether the processes are
   * told of the Redis
   * @param options.roles of the process that answers calls  @param options.deliverers how many processes only
   * deliver
   * @param options.env more for all processes  @param options.preload a module that all processes load first
   */
  static async set(
    lab,
    { stores = 20, orders = 20, roles = 'web', deliverers = 1, redis = false, env = {}, preload } = {},
  ) {
    const stage = new Stage();
    Object.assign(stage, {
      lab,
      roles,
      preload,
      env: { ...lab.env, ...(redis ? { REDIS_URL: lab.redis.url } : {}), ...env },
    });
    stage.receiver = await Receiver.start();
    stage.stores = await lab.stores(stores, orders, stage.receiver.url);
    for (const store of stage.stores) stage.receiver.expectSecret(store);
    const starting = [stage.startWeb(), ...Array.from({ length: deliverers }, () => stage.startDeliverer())];
    const started = await Promise.allSettled(starting);
    const failed = started.find(({ status }) => status === 'rejected');
    if (failed) {
      await stage.strike();
      throw failed.reason;
    }
    [stage.web, ...stage.deliverers] = started.map(({ value }) => value);
    stage.writer = new Writer(stage.stores, () => stage.web.url);
    return stage;
  }

  startWeb(env) {
    return this.#start({ SHOP_ROLES: this.roles, ...env });
  }

  startDeliverer(env) {
    return this.#start({ SHOP_ROLES: 'deliver', ...env });
  }

  startBoth(env) {
    return this.#start({ SHOP_ROLES: 'web,deliver', ...env });
  }

  async #start(env) {
    const service = await Service.start({ ...this.env, ...env }, { preload: this.preload });
    this.#services.add(service);
    return service;
  }

  async pending(stores = this.stores) {
    const [{ count }] = await this.lab.query(
      `select count(*)::int from webhook_deliveries where status = 'pending' and store_id = any($1)`,
      [stores.map(({ id }) => id)],
    );
    return count;
  }

  /**
   * Waits until every delivery is delivered or has failed for good. @returns how long it took, in
   * milliseconds
   */
  async quiet(timeoutMs = 60_000) {
    const started = Date.now();
    const settled = await until(async () => (await this.pending().catch(() => 1)) === 0, timeoutMs, 50);
    if (!settled)
      throw new Error(`${await this.pending()} deliveries are still pending after ${timeoutMs} ms`);
    const took = Date.now() - started;
    // A repeat that is still on its way must be seen.
    await paced(300);
    return took;
  }

  /** Holds the invariants against what came. @see check */
  verdict(expected) {
    return check(this, expected);
  }

  async strike() {
    await Promise.all([...this.#services].map((service) => service.kill()));
    this.writer?.close();
    await this.receiver.stop();
    await this.lab
      .query('delete from stores where id = any($1)', [this.stores.map(({ id }) => id)])
      .catch(() => undefined);
  }
}
