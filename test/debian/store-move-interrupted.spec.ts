import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { prepared } from '../installation/backups/backed-up.js';
import { everyRow } from '../support/database/every-table.js';
import { emptyDatabase, type TestDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { FullShop } from '../support/full-shop.js';
import { DebianPostgres } from '../support/servers/debian-postgres.js';
import { shop, WORKING_FOLDER } from '../support/servers/service-process.js';
import { ownerQuery, TestApp } from '../support/test-app.js';

const key = randomBytes(32).toString('base64');
const CLI = path.resolve(__dirname, '../../dist/src/cli.js');

interface State {
  readOnlySince: Date | null;
  movedTo: string | null;
  suspendedReason: string | null;
}

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
  const isSuspendedHere = async () => (await stateAt(source.ownerUrl))!.suspendedReason !== null;
  const undone = async () => {
    const result = await shop(env(), ...args(), '--undo');
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

  it('while the rows are copied, is undone', async () => {
    await away.query('begin');
    await away.query('lock table audit_log in access exclusive mode');
    begin();
    await eventually('it copies', async () => (await isReadOnlyHere()) && (await isWaiting(away)));
    expect(await change()).toBe(503);
    await kill();
    expect(await change()).toBe(503);
    await away.query('rollback');
    expect(await undone()).toBe(0);
    expect(await change()).toBe(200);
    before = await rows(source.ownerUrl);
  });

  it('when everything has arrived, is undone, and nothing of it is left there', async () => {
    await killBeforeSuspension();
    expect(await hasArrived()).toBe(true);
    expect(await undone()).toBeGreaterThan(40);
    expect(await change()).toBe(200);
    before = await rows(source.ownerUrl);
  });

  it('when it is suspended at its old place, is undone', async () => {
    await killBeforeOpening();
    expect(await undone()).toBeGreaterThan(40);
    expect(await change()).toBe(200);
    before = await rows(source.ownerUrl);
  });

  it('when everything has arrived, is completed by running it again', async () => {
    await killBeforeSuspension();
    const arrived = await rows(target.ownerUrl);
    const moved = await shop(env(), ...args());
    expect(moved).toMatchObject({ code: 0, output: { id: full.id, invitations: [] } });
    const { stores: _, audit_log: __, ...kept } = await rows(target.ownerUrl);
    expect(arrived).toMatchObject(kept);
    expect(await change()).toBe(403);
    expect(await stateAt(target.ownerUrl)).toEqual({
      readOnlySince: null,
      movedTo: null,
      suspendedReason: null,
    });
    await full.mustWork(target, [key]);
  });

  /** Lets it begin, and holds it up when the store has arrived, by a lock of its row at the old place. */
  async function beginUntilArrived(): Promise<void> {
    await away.query('begin');
    await away.query('lock table audit_log in access exclusive mode');
    begin();
    await eventually('it copies', async () => (await isReadOnlyHere()) && (await isWaiting(away)));
    await atHome.query('begin');
    await atHome.query('select from stores where id = $1 for update', [full.id]);
    await away.query('rollback');
    await eventually('it waits for the row of the store', () => isWaiting(atHome));
  }

  /** Kills it when the store has arrived, and is not suspended at its old place yet. */
  async function killBeforeSuspension(): Promise<void> {
    await beginUntilArrived();
    await kill();
    await atHome.query('rollback');
  }

  /** Kills it when the store is suspended at its old place, and not open at the new one yet. */
  async function killBeforeOpening(): Promise<void> {
    await beginUntilArrived();
    const blocker = new pg.Client({ connectionString: target.systemUrl });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('select from stores where id = $1 for update', [full.id]);
    await atHome.query('rollback');
    await eventually('it is suspended', async () => (await isSuspendedHere()) && (await isWaiting(blocker)));
    await kill();
    // What the server was still to do for the process would be done once nobody is in its way.
    await away.query('select pg_terminate_backend(pid) from pg_locks where not granted');
    await blocker.query('rollback');
    await blocker.end();
  }

  /** Whether somebody waits for a lock that this client holds. */
  async function isWaiting(holder: pg.Client): Promise<boolean> {
    const { rowCount } = await holder.query(
      'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
    );
    return rowCount! > 0;
  }
});
