import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { Messenger } from '../../src/messenger/messenger.js';
import { Mailer } from '../../src/people/accounts/mailer.service.js';
import { Retention } from '../../src/platform/database/retention.service.js';
import { recordAction } from '../../src/platform/database/installation/operator-log.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { Dispatcher } from '../../src/webhooks/delivery/dispatcher.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { eventually } from '../support/eventually.js';
import { paced } from '../support/waiting/paced.mjs';
import { type BotApiAnswer, BotApiServer, botApi } from '../support/servers/bot-api-server.js';
import { MailServer } from '../support/servers/mail-server.js';
import { preparedDatabase, type TestDatabase } from '../support/database/own-database.js';
import { waitsForLock } from '../support/database/waits-for-lock.js';
import {
  type Course,
  figuresOf,
  firing,
  groupsIn,
  type Scrape,
  scrape,
} from '../support/servers/prometheus.js';
import { answers, Receiver } from '../support/servers/receiver.js';
import { TestApp, type TestStore } from '../support/test-app.js';

const RULES = path.resolve(__dirname, '../../deploy/prometheus/alerts.yml');
const rules = groupsIn(RULES).flatMap((group) => group.rules);

const HOUR = 60;
/** How long it takes until an alert says it, with room to spare; where nothing is said, ten minutes do. */
const MINUTES: Record<string, number> = {
  ShopEndpointsPaused: 25 * HOUR,
  ShopBackupMissing: 27 * HOUR,
  ShopPurgeFails: 4 * HOUR,
  ShopVersionsDiffer: 2 * HOUR,
  ShopEndpointsSilent: 20,
  ShopStandbyLost: 20,
  ShopMessengerFails: 20,
};

/**
 * Each alert fires on what the real service tells while what it is about happens, and none while all is well.
 */
describe('alerts', () => {
  const courses: Record<string, Scrape[]> = {};
  let healthy: Scrape[];
  let database: TestDatabase;
  let app: TestApp;
  let store: TestStore;
  let receiver: Receiver;
  let mail: MailServer;
  let messenger: BotApiServer;

  const figures = async (url = app.url) => scrape(await (await fetch(`${url}/metrics`)).text());
  const list = () => store.call('list_brands', {}, {});
  /** Two looks, between which something happens. */
  const during = async (work: () => Promise<unknown>): Promise<Scrape[]> => {
    const before = await figures();
    await work();
    return [before, await figures()];
  };
  const waitingIn = (scraped: Scrape, pool: string) =>
    scraped.get(`shop_pool_${pool}_waiting{job="shop",instance="one:9464"}`) ?? 0;
  const changed = (base: Scrape, name: string, value: number): Scrape => {
    const series = [...base.keys()].filter((key) => key.startsWith(`${name}{`));
    const others = [...base].filter(([key]) => !series.includes(key));
    const own = series.length > 0 ? series : [`${name}{job="shop",instance="one:9464"}`];
    return new Map([...others, ...own.map((key): [string, number] => [key, value])]);
  };

  beforeAll(async () => {
    database = await preparedDatabase();
    receiver = await Receiver.start();
    mail = await MailServer.start();
    messenger = await BotApiServer.start();
    app = await TestApp.start({
      database,
      env: {
        SHOP_ROLES: 'web,deliver',
        DATABASE_POOL: '2',
        WEBHOOK_RETRY_DELAYS: '0.05',
        WEBHOOK_TIMEOUT: '2',
        SMTP_URL: mail.url,
        MESSENGER_API_ROOT: messenger.apiRoot,
      },
    });
    store = await app.store();
    await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url));
    await eventually('a call was answered while this machine was not busy', async () => {
      const started = performance.now();
      healthy = await during(list);
      const waiting = ['store', 'system'].map((pool) => waitingIn(healthy[1], pool));
      return performance.now() - started < 500 && waiting.every((many) => many === 0);
    });
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
    await mail.stop();
    await messenger.close();
  });

  const order = async () =>
    store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] });

  it('is provoked: a process that is gone', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await new Promise((resolve) => taken.close(resolve));
    await expect(figures(`http://127.0.0.1:${port}`)).rejects.toThrow();
    // What Prometheus writes down when it gets no answer.
    courses.ShopProcessDown = [changed(new Map(), 'up', 0)];
  });

  it('is provoked: a process whose database refuses it', async () => {
    const role = pg.escapeIdentifier(new URL(database.storeUrl).username);
    await app.query(`revoke select on stores from ${role}`);
    courses.ShopNotReady = [await figures()];
    await app.query(`grant select on stores to ${role}`);
    expect((await figures()).get('shop_ready{job="shop",instance="one:9464"}')).toBe(1);
  });

  it('is provoked: calls that fail, and calls that take long', async () => {
    courses.ShopErrors = await during(async () => {
      await app.query('alter table brands rename to brands_away');
      await list();
      await app.query('alter table brands_away rename to brands');
    });
    courses.ShopSlow = await during(() => whileLocked(async () => paced(1_300), 1));
  });

  it('is provoked: calls that wait for a connection', async () => {
    await whileLocked(async () => {
      await eventually('a call waits for a connection', async () => {
        courses.ShopPoolExhausted = [await figures()];
        return waitingIn(courses.ShopPoolExhausted[0], 'store') > 0;
      });
    }, 4);
  });

  /** Calls that wait for a lock until `work` is done. */
  async function whileLocked(work: () => Promise<void>, calls: number): Promise<void> {
    const { id: orderId } = await order();
    const locker = new pg.Client({ connectionString: database.ownerUrl });
    await locker.connect();
    await locker.query('begin');
    await locker.query('select from orders where id = $1 for update', [orderId]);
    const waiting = Array.from({ length: calls }, () =>
      store.call('set_order_status', { orderId, status: 'SHIPPED' }),
    );
    await waitsForLock(locker);
    await work();
    await locker.query('commit');
    await locker.end();
    await Promise.all(waiting);
  }

  it('is provoked: a process that computes all the time', async () => {
    await figures();
    for (let i = 0; i < 3; i++) {
      const until = performance.now() + 500;
      while (performance.now() < until);
      await paced(1);
    }
    courses.ShopEventLoopBusy = [await figures()];
  });

  it('is provoked: a listener that is not let in', async () => {
    const role = pg.escapeIdentifier(new URL(database.systemUrl).username);
    await app.query(`alter role ${role} nologin`);
    await app.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shop-listener'
        and datname = current_database()`,
    );
    const isConnected = async () =>
      (await figures()).get('shop_listener_connected{job="shop",instance="one:9464"}') === 1;
    await eventually('the listener is away', async () => !(await isConnected()));
    courses.ShopListenerAway = [await figures()];
    await app.query(`alter role ${role} login`);
  });

  it('is provoked: Redis that is away', async () => {
    const other = await TestApp.start({ database, env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    courses.ShopRedisAway = [await figures(other.url)];
    await other.stop();
  });

  it('is provoked: deliveries that are late, and deliveries that are given up', async () => {
    courses.ShopWebhooksGivenUp = await during(async () => {
      receiver.always(answers.status(500));
      await order();
      await eventually('a delivery is given up', async () => (await settled()) > 0);
      receiver.always(answers.status(204));
    });
    await app.query(
      `insert into webhook_deliveries (store_id, id, next_attempt_at, created_at)
       select $1, gen_random_uuid(), now() - interval '2 minutes', now()`,
      [store.id],
    );
    await app.nest.get(Dispatcher).sweep();
    courses.ShopWebhooksLate = [await figures()];
    await app.query(`delete from webhook_deliveries where store_id = $1 and status = 'pending'`, [store.id]);
  });
  const settled = async () => {
    const [{ count }] = await app.query<{ count: number }>(
      `select count(*)::int from webhook_deliveries where status = 'failed'`,
    );
    return count;
  };

  it('is provoked: endpoints that are silent, and endpoints that are paused', async () => {
    // With an answer an endpoint is silent no more.
    receiver.always(answers.hang());
    const silent = await Promise.all(Array.from({ length: 21 }, () => app.store()));
    for (const { id } of silent) {
      await app.query(
        `insert into webhook_endpoints (store_id, url, sealed_secret, pace, created_at, updated_at)
         select $1, url, sealed_secret, 'silent', now(), now() from webhook_endpoints where store_id = $2`,
        [id, store.id],
      );
      await app.query(
        `insert into webhook_deliveries (store_id, id, next_attempt_at, created_at)
          select $1, gen_random_uuid(), now(), now()`,
        [id],
      );
    }
    await app.nest.get(Dispatcher).sweep();
    courses.ShopEndpointsSilent = [await figures()];
    await app.query(`delete from webhook_deliveries where store_id = any($1::uuid[])`, [
      silent.map(({ id }) => id),
    ]);
    await app.query(`update webhook_endpoints set paused_at = now() where store_id = $1`, [silent[0].id]);
    courses.ShopEndpointsPaused = [await figures()];
    receiver.always(answers.status(204));
  });

  it('is provoked: a database that has hardly a connection left', async () => {
    const named = (one: Scrape, name: string) => one.get(`${name}{job="shop",instance="one:9464"}`);
    const [{ limit }] = await app.query<{ limit: number }>(
      `select sum(setting::int * case name when 'max_connections' then 1 else -1 end)::int as limit
       from pg_settings where name like '%reserved_connections' or name = 'max_connections'`,
    );
    let now!: Scrape;
    await eventually('the role of the service sees all connections', async () => {
      now = await figures();
      const [{ count }] = await app.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where backend_type = 'client backend'`,
      );
      return named(now, 'shop_database_connections') === count;
    });
    expect(named(now, 'shop_database_connections_limit')).toBe(limit);
    // Other tests need theirs.
    courses.ShopConnectionsShort = [changed(now, 'shop_database_connections', 0.95 * limit)];
  });

  it('is provoked: letters that the mail server does not take, but not by a wrong address', async () => {
    const mailer = app.nest.get(Mailer);
    const letter = () => mailer.send({ to: 'ann@shop.example', subject: 'News', text: 'None.' });
    await letter();
    mail.refuses = 'no such mailbox';
    const refused = await during(() => expect(letter()).rejects.toThrow('no such mailbox'));
    expect(await firing(RULES, [{ alert: 'ShopMailFails', scrapes: refused, minutes: 10 }], used)).toEqual(
      [],
    );
    for (const answer of ['5.7.1 not from here', 'relay not permitted']) {
      mail.refuses = answer;
      courses.ShopMailFails = await during(() => expect(letter()).rejects.toThrow(answer));
    }
    expect(mailer.outcomes).toEqual({ sent: 1, refused: 1, failed: 2 });
  });

  it('is provoked: a messenger that does not answer, but not by who has blocked the bot', async () => {
    const send = () =>
      app.nest
        .get(Messenger)
        .sendMessage(`1:${'x'.repeat(35)}`, '7', { text: 'Hello' }, { timeoutMs: 5_000 });
    const course = async (answer: BotApiAnswer) => {
      messenger.always('sendMessage', answer);
      return during(send);
    };
    for (const answer of [botApi.blocked(), botApi.chatNotFound()])
      expect(
        await firing(
          RULES,
          [{ alert: 'ShopMessengerFails', scrapes: await course(answer), minutes: 20 }],
          used,
        ),
      ).toEqual([]);
    courses.ShopMessengerFails = await course(botApi.unauthorized());
    for (const answer of [botApi.serverError(), botApi.dropped()])
      courses.ShopMessengerFails = await course(answer);
  });

  it('is provoked: a purge that fails', async () => {
    const before = await figures();
    await app.query('alter table audit_log rename to audit_log_away');
    await expect(app.nest.get(Retention).purge()).rejects.toThrow('expired rows are left in audit_log');
    await app.query('alter table audit_log_away rename to audit_log');
    const after = await figures();
    const stuck = [...after].filter(
      ([key, value]) => key.startsWith('shop_purge_succeeded_seconds{') && before.get(key) === value,
    );
    expect(stuck.map(([key]) => key)).toContain(
      'shop_purge_succeeded_seconds{table="audit_log",job="shop",instance="one:9464"}',
    );
    expect(
      after.get('shop_purge_succeeded_seconds{table="idempotency_keys",job="shop",instance="one:9464"}'),
    ).toBeGreaterThan(
      before.get('shop_purge_succeeded_seconds{table="idempotency_keys",job="shop",instance="one:9464"}')!,
    );
    // promtool's time begins at 0.
    courses.ShopPurgeFails = [new Map(stuck.map(([key]) => [key, 0]))];
  });

  it('is provoked: a standby that goes, and a slot that is left behind', async () => {
    const standby = new pg.Client({
      connectionString: database.ownerUrl,
      replication: 'database',
    } as pg.ClientConfig);
    await standby.connect();
    await standby.query('IDENTIFY_SYSTEM');
    const slot = `left_${process.pid}`;
    await app.query(`select pg_create_physical_replication_slot($1, true)`, [slot]);
    const before = await figures();
    await standby.end();
    await app.query('create table written as select generate_series(1, 10000) as n');
    await app.query('select pg_switch_wal()');
    const after = await figures();
    await app.query(`select pg_drop_replication_slot($1)`, [slot]);
    courses.ShopStandbyLost = [before, after];
    const bytes = (one: Scrape) => one.get('shop_replication_slot_bytes{job="shop",instance="one:9464"}')!;
    expect(bytes(after)).toBeGreaterThan(bytes(before));
    // Ten gibibytes are more than a test writes, and how far a standby is behind needs one of flesh and
    // blood.
    courses.ShopReplicationSlotHoldsBack = [
      changed(after, 'shop_replication_slot_bytes', bytes(after) * 1e6),
    ];
    courses.ShopReplicaLags = [changed(after, 'shop_replication_lag_seconds', 45)];
  });

  it('is provoked: a backup that has never been made, and one that is old', async () => {
    const name = 'shop_backup_succeeded_seconds{job="shop",instance="one:9464"}';
    courses.ShopBackupMissing = [await figures()];
    expect(courses.ShopBackupMissing[0].get(name)).toBeUndefined();
    await recordAction(database.systemUrl, createLogger('silent'), { command: 'backup' });
    const now = await figures();
    expect(now.get(name)).toBeGreaterThan(Date.now() / 1000 - 600);
    // promtool's time begins at 0.
    courses.ShopBackupOld = [changed(now, 'shop_backup_succeeded_seconds', -3 * 86_400)];
  });

  it('is provoked: a disk that is nearly full', () => {
    // Only a service with an embedded database has these figures.
    const sized = changed(healthy[1], 'shop_disk_size_bytes', 100);
    courses.ShopDiskNearlyFull = [changed(sized, 'shop_disk_free_bytes', 9)];
  });

  it('is provoked: restarts, and an upgrade that has stopped halfway', async () => {
    const now = await figures();
    courses.ShopRestarts = [0, 60, 120, 180].map((later) =>
      changed(now, 'process_start_time_seconds', 1e9 + later),
    );
    const newer = (await (await fetch(`${app.url}/metrics`)).text()).replace(
      /(?<=^shop_build_info\{.*commit=")[^"]*/m,
      'of the next build',
    );
    courses.ShopVersionsDiffer = [new Map([...now, ...scrape(newer, 'two:9464')])];
  });

  const alerts = rules.map(({ alert }) => alert);

  it('stand in a file that Prometheus accepts', () => {
    expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  it('fire on it, each', async () => {
    expect(Object.keys(courses).sort()).toEqual([...alerts].sort());
    const all = alerts.map((alert): Course => ({
      alert,
      scrapes: courses[alert],
      minutes: MINUTES[alert] ?? 10,
    }));
    expect(await firing(RULES, all, used)).toEqual(alerts);
  });

  it('are quiet while all is well', async () => {
    // Other tests may keep this machine busy meanwhile.
    const scrapes = healthy.map((scrape) => changed(scrape, 'nodejs_eventloop_lag_p99_seconds', 0.01));
    const all = alerts.map((alert): Course => ({ alert, scrapes, minutes: 10 }));
    expect(await firing(RULES, all, used)).toEqual([]);
  });

  const used = rules.flatMap(({ expr }) => figuresOf(expr));
});
