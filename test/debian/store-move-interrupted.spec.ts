import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { Scheduler } from '../../src/jobs/scheduler.service.js';
import { goes } from '../../src/operator/backup/tables.js';
import { prepared } from '../installation/backups/backed-up.js';
import { everyRow } from '../support/database/every-table.js';
import { emptyDatabase, type TestDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { FullShop } from '../support/full-shop.js';
import { DebianPostgres } from '../support/servers/debian-postgres.js';
import { shopProcess, WORKING_FOLDER } from '../support/servers/service-process.js';
import { ownerQuery, TestApp } from '../support/test-app.js';

const key = randomBytes(32).toString('base64');
const CLI = path.resolve(__dirname, '../../dist/src/cli.js');

interface State {
  readOnlySince: Date | null;
  movedTo: string | null;
  suspendedReason: string | null;
}

/** Holds up whoever makes such a change of the row of a store, while somebody has the lock. */
const holdUp = (change: string) => `
  create function hold_up() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(1);
    return null;
  end $$;
  create trigger hold_up after update on stores for each row when (${change}) execute function hold_up()`;
const IS_SUSPENDED = `new.suspended_reason like 'moved to %'`;
const IS_OPENED = 'new.moved_to is null';

describe('a move of a store that is killed', () => {
  let server: DebianPostgres;
  let source: TestDatabase;
  let target: TestDatabase;
  let full: FullShop;
  let here: TestApp;
  let atHome: pg.Client;
  let away: pg.Client;
  let child: ChildProcess | undefined;
  let before: Record<string, string[]>;

  beforeAll(async () => {
    server = await DebianPostgres.start();
    source = await prepared(await emptyDatabase(), [key]);
    target = await prepared(await server.database('away'), [key]);
    full = await FullShop.create(source, [key]);
    here = await TestApp.start({ database: source, encryptionKeys: [key] });
    // After a minute, jobs would change what is compared.
    await here.nest.get(Scheduler).beforeApplicationShutdown();
    before = await rows(source.ownerUrl);
  });
  beforeEach(async () => {
    atHome = new pg.Client({ connectionString: source.systemUrl });
    away = new pg.Client({ connectionString: target.ownerUrl });
    await Promise.all([atHome.connect(), away.connect()]);
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await Promise.all([atHome.end(), away.end()]);
  });
  afterAll(async () => {
    await here?.stop();
    await full?.stop();
    await server?.stop();
  });

  /** Every row of the store, without the times at which its tokens were used. */
  const rows = async (url: string) => {
    const found = await everyRow(url, (table, hasStore) =>
      hasStore
        ? `where store_id = '${full.id}'`
        : table === 'stores'
          ? `where id = '${full.id}'`
          : 'where false',
    );
    return Object.fromEntries(
      Object.entries(found).map(([table, of]) => [
        table,
        of.map((row) => row.replace(/"last_used_at": (null|"[^"]*")/, '"last_used_at"')),
      ]),
    );
  };
  const args = () => ['store', 'move', '--store', full.id, '--to', target.ownerUrl];
  const env = () => ({ DATABASE_URL: source.ownerUrl, ENCRYPTION_KEY: key });
  const begin = () => {
    child = spawn(process.execPath, [CLI, ...args()], {
      cwd: WORKING_FOLDER,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env() },
      stdio: 'ignore',
    });
  };
  const kill = async () => {
    const exited = new Promise((resolve) => child!.once('exit', resolve));
    child!.kill('SIGKILL');
    await exited;
  };
  const stateAt = async (url: string): Promise<State | undefined> =>
    (
      await ownerQuery<State & Record<string, unknown>>(
        `select read_only_since as "readOnlySince", moved_to as "movedTo",
           suspended_reason as "suspendedReason" from stores where id = $1`,
        [full.id],
        url,
      )
    )[0];
  const isReadOnlyHere = async () => (await stateAt(source.ownerUrl))!.readOnlySince !== null;
  const hasArrived = async () => (await stateAt(target.ownerUrl)) !== undefined;
  const isSuspendedHere = async () =>
    (await stateAt(source.ownerUrl))!.suspendedReason?.startsWith('moved to ') ?? false;
  const undone = async () => {
    const result = await shopProcess(env(), ...args(), '--undo');
    expect(result).toMatchObject({ code: 0, output: { id: full.id, name: 'Full shop' } });
    expect(await hasArrived()).toBe(false);
    expect(Object.values(await rows(target.ownerUrl)).flat()).toEqual([]);
    expect(await rows(source.ownerUrl)).toEqual(before);
    return result.output.removed as number;
  };
  const change = async () =>
    (
      await here.post(
        '/v1/update_checkout',
        { mode: 'manual' },
        { Authorization: `Bearer ${full.tokens.admin}` },
      )
    ).status;

  it('while a delivery is under way, is undone', async () => {
    await atHome.query(
      `update webhook_deliveries set status = 'pending', lease_until = now() + interval '1 hour'
       where store_id = $1`,
      [full.id],
    );
    begin();
    await eventually('it waits for the delivery', async () => (await stateAt(source.ownerUrl))!.movedTo);
    await kill();
    expect(await isReadOnlyHere()).toBe(false);
    await atHome.query(
      `update webhook_deliveries set status = 'delivered', lease_until = null where store_id = $1`,
      [full.id],
    );
    before = await rows(source.ownerUrl).then((found) => ({
      ...found,
      stores: found.stores.map((row) => row.replace(/"moved_to": "[^"]*"/, '"moved_to": null')),
    }));
    expect(await undone()).toBe(0);
    expect(await change()).toBe(200);
    before = await rows(source.ownerUrl);
  });

  it('while the rows are carried over, leaves nothing there, and is undone', async () => {
    await killWhileCarried();
    expect(await change()).toBe(503);
    expect(await undone()).toBe(0);
    expect(await change()).toBe(200);
    before = await rows(source.ownerUrl);
  });

  it('when it has arrived, begins anew when it is run again, and can be undone', async () => {
    await killBeforeSuspension();
    expect(await change()).toBe(503);
    await killBeforeSuspension();
    expect(await undone()).toBeGreaterThan(40);
    expect(await change()).toBe(200);
    before = await rows(source.ownerUrl);
  });

  it('when it is suspended at its old place, is undone, and suspended as it was before', async () => {
    const suspend = (reason: string | null) =>
      atHome.query(
        `update stores set suspended_at = case when $2::text is not null then now() end, suspended_reason = $2
         where id = $1`,
        [full.id, reason],
      );
    await suspend('unpaid');
    before = await rows(source.ownerUrl);
    await killBeforeOpening();
    expect(await undone()).toBeGreaterThan(40);
    expect((await stateAt(source.ownerUrl))!.suspendedReason).toBe('unpaid');
    await suspend(null);
    before = await rows(source.ownerUrl);
  });

  it('when its undoing was interrupted, is undone by the next, and open', async () => {
    await killBeforeOpening();
    await away.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'interrupted'; end $$`,
    );
    await away.query(
      'create trigger refuses before delete on products for each statement execute function refuse()',
    );
    expect(await shopProcess(env(), ...args(), '--undo')).toMatchObject({ code: 1 });
    await away.query('drop trigger refuses on products');
    expect(await undone()).toBeGreaterThan(0);
    expect((await stateAt(source.ownerUrl))!.suspendedReason).toBeNull();
    expect(await change()).toBe(200);
    before = await rows(source.ownerUrl);
  });

  it('when it is suspended at its old place, is completed by running it again', async () => {
    await killBeforeOpening();
    const left = await rows(source.ownerUrl);
    const moved = await shopProcess(env(), ...args());
    expect(moved).toMatchObject({ code: 0, output: { id: full.id, invitations: [] } });
    const { stores: _, audit_log: __, ...kept } = await rows(target.ownerUrl);
    for (const table of Object.keys(left)) if (!goes(table, 'move')) left[table] = [];
    expect(left).toMatchObject(kept);
    // For some seconds callers are told to come again, so that they find the new place.
    await eventually('callers are told that it is suspended', async () => (await change()) === 403);
    expect(await stateAt(target.ownerUrl)).toEqual({
      readOnlySince: null,
      movedTo: null,
      suspendedReason: null,
    });
    await full.mustWork(target, [key]);
  });

  async function killWhileCarried(): Promise<void> {
    await away.query('begin');
    await away.query('lock table idempotency_keys in access exclusive mode');
    begin();
    await eventually('its rows arrive', () => isWaiting(away));
    expect(await isReadOnlyHere()).toBe(true);
    await kill();
    await giveWay(away);
  }

  /** Kills it when the store has arrived, and its old place is not suspended yet. */
  async function killBeforeSuspension(): Promise<void> {
    const owner = new pg.Client({ connectionString: source.ownerUrl });
    await owner.connect();
    await killAt(owner, IS_SUSPENDED);
    expect(await hasArrived()).toBe(true);
    expect(await isSuspendedHere()).toBe(false);
    await owner.end();
  }

  /** Kills it when the store is suspended at its old place, and its new one is not open yet. */
  async function killBeforeOpening(): Promise<void> {
    await killAt(away, IS_OPENED);
    expect(await isSuspendedHere()).toBe(true);
  }

  async function killAt(owner: pg.Client, change: string): Promise<void> {
    await owner.query(holdUp(change));
    await owner.query('begin');
    await owner.query('select pg_advisory_xact_lock(1)');
    begin();
    await eventually('it is held up', () => isWaiting(owner));
    await kill();
    await giveWay(owner);
    await owner.query('drop function hold_up() cascade');
  }

  /** What the server was still to do for the process would be done once nobody is in its way. */
  async function giveWay(owner: pg.Client): Promise<void> {
    await owner.query('select pg_terminate_backend(pid) from pg_locks where not granted');
    await owner.query('rollback');
  }

  /** Whether somebody waits for a lock that this client holds. */
  async function isWaiting(holder: pg.Client): Promise<boolean> {
    const { rowCount } = await holder.query(
      'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
    );
    return rowCount! > 0;
  }
});
