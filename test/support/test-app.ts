import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import pg from 'pg';
import { createApp } from '../../src/start/app.setup.js';
import { HASHING } from '../../src/people/accounts/password.js';
import { OrderPlacing } from '../../src/groups/orders/placing/order-placing.service.js';
import { type Scope, SCOPES } from '../../src/access/rights.js';
import { TokenRegistry } from '../../src/platform/auth/token-registry.js';
import { Scheduler } from '../../src/jobs/scheduler.service.js';
import { Clock, SystemClock } from '../../src/platform/clock.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { StoreDatabase, type StoreContext } from '../../src/platform/store/store-context.js';
import { createLogger, type Logger } from '../../src/platform/logging/logger.js';
import { documentsChange } from '../../src/search/documents.js';
import { Stores } from '../../src/stores/stores.service.js';
import { eventually } from './eventually.js';
import { refuseNulls } from './never-null.js';
import { differingDocuments } from './database/differing-documents.js';
import { sharedDatabase, type TestDatabase } from './database/own-database.js';
import { BotApiServer } from './servers/bot-api-server.js';

refuseNulls();
// Nobody guesses the passwords of tests. What a hash costs otherwise: src/people/accounts/password.spec.ts.
Object.assign(HASHING, { memoryCost: 64, timeCost: 1 });

/** No two stores of a file have orders of the same id, so that each test is one of tenancy too. */
const ORDERS_APART = 100_000;
let madeStores = 0;

/** A clock that stands still until the test sets it. */
export class TestClock extends Clock {
  constructor(private time = new Date()) {
    super();
  }
  now(): Date {
    return new Date(this.time);
  }
  elapsed(): number {
    return this.time.getTime();
  }
  advance(milliseconds: number): void {
    this.time = new Date(this.time.getTime() + milliseconds);
  }
  set(time: Date): void {
    this.time = time;
  }
}

/** The clock of the file that runs, or the system's. */
class ClockOfFile extends Clock {
  private readonly system = new SystemClock();
  followed: Clock | undefined;
  now(): Date {
    return (this.followed ?? this.system).now();
  }
  elapsed(): number {
    return (this.followed ?? this.system).elapsed();
  }
}

/** The application that files of a worker share; there is none where each file loads its own sources. */
interface SharedApp {
  clock?: ClockOfFile;
  nest?: Promise<INestApplication>;
  isTaken: boolean;
}
const sharedApp = (): SharedApp | undefined => (globalThis as { sharedApp?: SharedApp }).sharedApp;

export interface TestAppOptions {
  /** Environment variables that override the tests' defaults. */
  env?: Record<string, string>;
  clock?: Clock;
  log?: Logger;
  /** Default: the tests' shared database. */
  database?: TestDatabase;
  /** Default: the tests' shared key. */
  encryptionKeys?: string[];
}

export interface Answer {
  status: number;
  headers: Headers;
  body: { ok: boolean; data?: any; error?: { code: string; message: string } };
}

/** The real application on the tests' database, listening on its own port. */
export class TestApp {
  nest!: INestApplication;
  url!: string;
  database!: TestDatabase;
  private isShared = false;
  private readonly storeIds: string[] = [];

  private constructor() {}

  /** An application of its own: another process to those beside it. */
  static async start(options: TestAppOptions = {}): Promise<TestApp> {
    const app = TestApp.unstarted();
    app.serve(await startNest(options), options.database);
    return app;
  }

  static unstarted(): TestApp {
    return new TestApp();
  }

  /** The application of the worker, whose clock a file may set; with other options one of its own. */
  async open({ clock, ...others }: TestAppOptions): Promise<void> {
    const shared = sharedApp();
    if (!shared || shared.isTaken || Object.keys(others).length > 0)
      return this.serve(await startNest({ clock, ...others }), others.database);
    shared.isTaken = this.isShared = true;
    shared.clock ??= new ClockOfFile();
    shared.clock.followed = clock;
    shared.nest ??= startNest({ clock: shared.clock });
    this.serve(await shared.nest);
  }

  private serve(nest: INestApplication, database = sharedDatabase()): void {
    const { port } = (nest.getHttpServer() as Server).address() as AddressInfo;
    Object.assign(this, { nest, url: `http://127.0.0.1:${port}`, database });
  }

  /** Ends what runs by itself, from a minute after the start on. */
  stopJobs(): Promise<void> {
    return stopJobs(this.nest);
  }

  /** Records are found by what they say. @throws Error if a document of the tests' stores says otherwise */
  private async checkDocuments(): Promise<void> {
    const query = <Row extends object>(text: string, values: unknown[]) => this.query<Row>(text, values);
    const differing: string[] = [];
    for (const storeId of this.storeIds.splice(0))
      differing.push(...(await differingDocuments(query, storeId)));
    if (differing.length > 0) throw new Error(`search finds by what was: ${differing.join('\n')}`);
  }

  async stop(): Promise<void> {
    if (this.database.ownerUrl === process.env.TEST_OWNER_URL) await this.checkDocuments();
    if (this.isShared) {
      const shared = sharedApp()!;
      shared.isTaken = false;
      shared.clock!.followed = undefined;
      return;
    }
    (this.nest.getHttpServer() as Server).closeAllConnections();
    await this.nest.close();
  }

  /** Queries the database as its owner, bypassing row-level security. */
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return ownerQuery<Row>(text, values, this.database.ownerUrl);
  }

  /**
   * A new store with a token of each scope.
   * @param values.isNumberedFromOne as orders are elsewhere: in tests no two stores share the id of one
   */
  async store(
    values: { currency?: string; plan?: string; name?: string; isNumberedFromOne?: boolean } = {},
  ): Promise<TestStore> {
    const { currency = 'USD', plan = 'pro', name = 'Test store', isNumberedFromOne = false } = values;
    const stores = this.nest.get(Stores);
    const email = `owner-${Math.random().toString(36).slice(2)}@test.example`;
    const { id } = await stores.create({
      name,
      currency,
      plan,
      ownerEmail: email,
      ownerPassword: 'correct horse battery',
    });
    this.storeIds.push(id);
    if (!isNumberedFromOne)
      await this.query('insert into order_counters values ($1, $2)', [id, ++madeStores * ORDERS_APART]);
    const tokens = {} as Record<Scope, string>;
    const tokenIds = {} as Record<Scope, string>;
    const store = new TestStore(this, id, currency, tokens, tokenIds, email);
    for (const scope of SCOPES) {
      const values = { name: `test ${scope}`, scope, expiresAt: null };
      const { record, token } = await store.inside((ctx) => this.nest.get(TokenRegistry).create(ctx, values));
      tokens[scope] = token;
      tokenIds[scope] = record.id;
    }
    return store;
  }

  /** POSTs JSON (or a text as it is) and reads the envelope. */
  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer['body'],
    };
  }
}

/** The secret part of the token of a test store's bot. */
export const BOT_SECRET = 'AAH-s3cret_0123456789abcdefghijklmno';

export class TestStore {
  constructor(
    readonly app: TestApp,
    readonly id: string,
    readonly currency: string,
    readonly tokens: Record<Scope, string>,
    readonly tokenIds: Record<Scope, string>,
    readonly ownerEmail: string,
  ) {}

  /**
   * The token of the store's own bot, because no other store may connect the same one (docs/behaviour.md
   * §6.14).
   */
  get botToken(): string {
    return `${this.botId}:${BOT_SECRET}`;
  }

  get botId(): string {
    return String(1_000_000_000 + (parseInt(this.id.slice(-12), 16) % 9_000_000_000));
  }

  /** Calls an operation with the store's admin token, or another. */
  call(
    operation: string,
    input: unknown = {},
    options: { scope?: Scope; token?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const token = options.token ?? this.tokens[options.scope ?? 'admin'];
    return this.app.post(`/v1/${operation}`, input, { Authorization: `Bearer ${token}`, ...options.headers });
  }

  /** Calls an operation, which must succeed, and returns its data. */
  async data(operation: string, input: unknown = {}, options: { scope?: Scope } = {}): Promise<any> {
    const { body } = await this.call(operation, input, options);
    if (!body.ok) throw new Error(`${operation} was refused: ${body.error!.code} ${body.error!.message}`);
    return body.data;
  }

  /**
   * The first 100 events of the feed, once it shows all that there are: it holds an event back until every
   * older transaction of the server has ended, those of other tests included.
   */
  async feed(): Promise<{ items: any[]; nextCursor: string }> {
    const [{ count }] = await this.app.query<{ count: number }>(
      `select least(count(*), 100)::int as count from order_events
       where store_id = $1 and octet_length(body) > 0`,
      [this.id],
    );
    const read = () => this.data('list_events', { take: 100 });
    let page = await read();
    await eventually(`the feed shows ${count} events`, async () => {
      if (page.items.length < count) page = await read();
      return page.items.length >= count;
    });
    return page;
  }

  /** Runs code of the service inside the store, in one transaction. */
  async inside<Result>(work: (ctx: StoreContext) => Promise<Result>): Promise<Result> {
    const principal = await this.app.nest.get(Stores).operator(this.id);
    return this.app.nest.get(StoreDatabase).inStore(principal, work);
  }

  /** Places an order the way the command line and the storefront do. @returns the order object */
  async place(
    order: Record<string, unknown> & { items: object[] },
    shopper: Record<string, unknown> & { id: string } = { id: '1001' },
    paid = false,
  ): Promise<any> {
    const placed = await this.inside((ctx) =>
      this.app.nest.get(OrderPlacing).place(ctx, shopper, { paymentMethod: 'cash', ...order } as never, paid),
    );
    return JSON.parse(placed.json.text);
  }

  /** Inserts a product directly into the table. */
  async product(
    values: {
      productId?: string;
      price?: string;
      salePrice?: string | null;
      itemAmount?: number | null;
    } = {},
  ): Promise<{ id: string; productId: string }> {
    const { price = '10', salePrice = null, itemAmount = null } = values;
    const productId = values.productId ?? `p-${Math.random().toString(36).slice(2)}`;
    const [{ id }] = await this.app.query<{ id: string }>(
      `insert into products (store_id, id, product_id, title, description, images, price, sale_price,
        item_amount, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, $2, '', '{https://images.example/a.jpg}', $3, $4, $5, now(), now())
         returning id`,
      [this.id, productId, price, salePrice, itemAmount],
    );
    await this.inside(async (ctx) => documentsChange(ctx, 'product', [id]));
    return { id, productId };
  }

  /** Lets rows that SQL wrote be found. */
  async index(): Promise<void> {
    await this.inside(async (ctx) => {
      await ctx.session.allow(60_000);
      for (const kind of ['customer', 'product', 'order'] as const) {
        const rows = await this.app.query<{ id: string }>(`select id from ${kind}s where store_id = $1`, [
          this.id,
        ]);
        documentsChange(
          ctx,
          kind,
          rows.map(({ id }) => id),
        );
      }
    });
  }
}

type OptionsOfFile = TestAppOptions | (() => Promise<TestAppOptions>);

/**
 * The application of a file or of a describe, started before its first test and stopped after its last. With
 * no options but a clock, the files of a worker share one.
 */
export function useShop(options: OptionsOfFile = {}): TestApp {
  const app = TestApp.unstarted();
  beforeAll(async () => app.open(typeof options === 'function' ? await options() : options));
  afterAll(() => app.stop());
  return app;
}

/** An application with a messenger that accepts every message and is closed after it. */
export function useShopWithMessenger(options: OptionsOfFile = {}): {
  app: TestApp;
  messenger: BotApiServer;
} {
  const messenger = new BotApiServer();
  beforeAll(() => messenger.listen());
  const app = useShop(async () => {
    const { env, ...others } = typeof options === 'function' ? await options() : options;
    return { ...others, env: { MESSENGER_API_ROOT: messenger.apiRoot, ...env } };
  });
  afterAll(() => messenger.close());
  return { app, messenger };
}

const stopJobs = (nest: INestApplication) => nest.get(Scheduler).beforeApplicationShutdown();

async function startNest(options: TestAppOptions): Promise<INestApplication> {
  const {
    env = {},
    clock,
    log,
    database = sharedDatabase(),
    encryptionKeys = [process.env.TEST_ENCRYPTION_KEY!],
  } = options;
  const config = loadConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: database.ownerUrl,
    // A process that delivers takes everything due in the database, so a test that delivers needs its own
    // database.
    SHOP_ROLES: 'web',
    ENCRYPTION_KEY: encryptionKeys.join(','),
    LOG_LEVEL: 'silent',
    RATE_LIMIT_READ: '100000',
    RATE_LIMIT_WRITE: '100000',
    RATE_LIMIT_BAD_TOKENS: '100000',
    SESSION_RATE_LIMIT_READ: '100000',
    SESSION_RATE_LIMIT_WRITE: '100000',
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    ...env,
  });
  const nest = await createApp({
    config,
    log: log ?? createLogger(config.logLevel),
    storeUrl: database.storeUrl,
    systemUrl: database.systemUrl,
    directUrl: database.directUrl,
    replicaUrl: database.replicaUrl,
    encryptionKeys,
    clock,
  });
  await nest.listen(config.port, '127.0.0.1');
  // They would change other files' stores, whose clocks stand elsewhere.
  if (!options.database) await stopJobs(nest);
  return nest;
}

/** Pools by URL, because a connection costs more than a query. Unused ones close by themselves. */
const owners = new Map<string, pg.Pool>();

/**
 * Queries a database as its owner, bypassing row-level security. The default is the tests' shared database.
 */
export async function ownerQuery<Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
  url = process.env.TEST_OWNER_URL!,
): Promise<Row[]> {
  let owner = owners.get(url);
  if (!owner) {
    owner = new pg.Pool({ connectionString: url, max: 10, idleTimeoutMillis: 2_000, allowExitOnIdle: true });
    // The server was stopped or killed. The next query opens a new connection.
    owner.on('error', () => undefined);
    owners.set(url, owner);
  }
  return (await owner.query<Row>(text, values)).rows;
}
