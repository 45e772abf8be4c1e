import type pg from 'pg';
import { MIGRATIONS } from '../../../../migrations/all.js';
import type { Config } from '../../../platform/config/config.js';
import { CHECKS, type Problem } from '../../../platform/database/installation/checks.js';
import { Client } from '../../../platform/database/connections/connection.js';
import { findEmbeddedPostgres, otherVersionUnder } from '../../../embedded-postgres/embedded-postgres.js';
import { hasTable } from '../../../platform/database/installation/installation.js';
import { servicePasswordIn, whichDatabase } from '../../../platform/config/database-url.js';
import {
  missingAccess,
  roleNames,
  roleUrl,
  type RoleUrls,
} from '../../../platform/database/installation/roles.js';
import { checkJobs } from './jobs.js';
import { checkEndpoints, checkMoves } from './stores.js';
import { type Check, fine, reasonOf, warning, wrong } from './report.js';
import { configuredKeys } from './surroundings.js';

const OLDEST_SERVER = 15;
const CLOCK_TOLERANCE_MS = 2_000;

/** Runs all checks of the database, in read-only transactions, so that nothing can be changed. */
export async function checkDatabase(config: Config, migrations = MIGRATIONS): Promise<Check[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? (await findEmbeddedPostgres(config.dataDir));
  const which = `The ${whichDatabase(config)}`;
  const otherVersion = url === null ? await otherVersionUnder(config.dataDir) : null;
  if (otherVersion) return [wrong('database', `${otherVersion.found}.`, `${otherVersion.cure}.`)];
  if (!url)
    return [warning('database', `${which} does not run.`, 'Start the service, then run doctor again.')];
  let client: pg.Client | undefined;
  try {
    client = await connectReadOnly(url);
    const { rows } = await client.query<{ major: number; size: string }>(
      `select current_setting('server_version_num')::int / 10000 as major,
        pg_size_pretty(pg_database_size(current_database())) as size`,
    );
    const [{ major, size }] = rows;
    const server =
      major < OLDEST_SERVER
        ? wrong(
            'database',
            `${which} is on PostgreSQL ${major}.`,
            `Use PostgreSQL ${OLDEST_SERVER} or newer.`,
          )
        : fine('database', `${which} answers: PostgreSQL ${major}, ${size}.`);
    const checks = [server, await checkClock(client)];
    const isServiceRole = servicePasswordIn(url) !== null;
    const configured = configuredKeys(config);
    const at = { client, migrations, encryptionKeys: configured, isServiceRole };
    for (const { name, setting, find, fine: says } of CHECKS) {
      const problem = await find(at);
      if (problem) checks.push(reported(name, problem, setting));
      else if (says) checks.push(fine(name, says(migrations)));
      if (problem?.isLast) return checks;
    }
    const { names } = await roleNames(client);
    const isWrong = (name: string) => checks.some(({ check, level }) => check === name && level === 'error');
    // Without the right key the passwords of the roles cannot be read.
    const keys = isWrong('key') ? [] : configured;
    checks.push(await checkRoles(client, config.databaseUrl ?? url, names, keys, !isWrong('schema')));
    if (await hasTable(client, 'order_events')) checks.push(await checkEvents(client));
    return [...checks, ...(await checkRows(client, url, names.system, keys))];
  } catch (error) {
    return [
      wrong(
        'database',
        `${which} does not open: ${reasonOf(error)}`,
        `Start it, or correct ${config.databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'}: host, ` +
          `port, name and password.`,
      ),
    ];
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function connectReadOnly(url: string): Promise<pg.Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    application_name: 'shop-doctor',
  });
  try {
    await client.connect();
    // The transaction is read-only instead of the session, because a pooler reuses sessions for other
    // clients.
    await client.query('begin transaction read only');
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/**
 * Due times use the clock of the database. A process with another time signs and expires at times that differ
 * from the others.
 */
async function checkClock(client: pg.Client): Promise<Check> {
  const before = Date.now();
  const { rows } = await client.query<{ at: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as at',
  );
  const offset = Math.round(rows[0].at - (before + Date.now()) / 2);
  if (Math.abs(offset) <= CLOCK_TOLERANCE_MS)
    return fine('clock', 'This machine and the database agree on the time.');
  return warning(
    'clock',
    `This machine's clock is ${Math.abs(offset) / 1000} s ${offset > 0 ? 'behind' : 'ahead of'} the ` +
      `database's.`,
    'Let both keep time by NTP.',
  );
}

/** What a start would refuse is an error. */
const reported = (check: string, { found, cure, passes }: Problem, setting?: string): Check =>
  (passes ? warning : wrong)(check, sentence(setting ? `${setting}: ${found}` : found), sentence(cure));

const sentence = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}.`;

async function checkRoles(
  client: pg.Client,
  url: string,
  names: RoleUrls,
  keys: string[],
  isOurs: boolean,
): Promise<Check> {
  const cure = 'Start the service, or run shop migrate: both restore roles, grants and policies.';
  const problems: string[] = [];
  const { rows } = await client.query<{ name: string; unfit: boolean }>(
    `select rolname as name, rolsuper or rolbypassrls or not rolcanlogin as unfit from pg_roles
      where rolname = any($1)`,
    [Object.values(names)],
  );
  for (const name of Object.values(names) as string[]) {
    const role = rows.find((found) => found.name === name);
    if (!role) problems.push(`the role ${name} is missing`);
    else if (role.unfit) problems.push(`the role ${name} may not sign in, or passes row-level security`);
    else if (keys.length > 0 && (await roleUrl(client, url, name, keys)) === null)
      problems.push(`the kept password does not open the role ${name}`);
  }
  // The schema says what there should be, and only the owner of the tables sees all grants.
  if (isOurs && rows.length === Object.keys(names).length && servicePasswordIn(url) === null) {
    const differences = await missingAccess(client);
    if (differences.length > 0)
      problems.push(`grants or policies differ from the schema: ${differences.join('; ')}`);
  }
  const state =
    keys.length > 0
      ? 'Both roles sign in'
      : 'Both roles are there (whether they sign in takes the right key to see)';
  return problems.length === 0
    ? fine('roles', `${state}, with the grants and policies of the schema.`)
    : wrong('roles', `${problems.join(', ')}.`, cure);
}

/**
 * Without a partition for its month, an event is in the default partition, where it must be deleted instead
 * of dropped.
 */
async function checkEvents(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<{ missing: string }>(
    `select part as missing from (
       select 'order_events_' || to_char(now() at time zone 'UTC' + n * interval '1 month', 'YYYY_MM') as part
         from generate_series(0, 1) n
     ) months where to_regclass('public.' || part) is null order by 1`,
  );
  if (rows.length === 0)
    return fine('events', 'The event feed has the partitions of this month and the next.');
  const missing = rows.map((row) => row.missing).join(', ');
  return warning(
    'events',
    `The event feed lacks ${missing}.`,
    'Start the service: it makes them at once, and then each hour.',
  );
}

/** What row-level security shows to the service's system role, and not to the owner of the tables. */
async function checkRows(owner: pg.Client, url: string, role: string, keys: string[]): Promise<Check[]> {
  let client: pg.Client | undefined;
  try {
    const ofRole = keys.length > 0 ? await roleUrl(owner, url, role, keys) : null;
    if (ofRole === null) return [];
    client = await connectReadOnly(ofRole);
    return [...(await checkEndpoints(client)), ...(await checkMoves(client)), ...(await checkJobs(client))];
  } catch {
    // The check of the roles reports why the role cannot sign in.
    return [];
  } finally {
    await client?.end().catch(() => undefined);
  }
}
