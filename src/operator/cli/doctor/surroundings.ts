import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { transportFor } from '../../../people/accounts/mailer.service.js';
import type { Config } from '../../../platform/config/config.js';
import { expectOwnStatements } from '../../../platform/database/connections/pooler.js';
import { diskSpace, isScarce } from '../../../platform/disk.js';
import { openRedis } from '../../../platform/redis.js';
import { COMMIT, VERSION } from '../../../platform/version.js';
import { type Check, fine, reasonOf, warning, wrong } from './report.js';

const PATIENCE_MS = 5_000;
const MIB = 1024 * 1024;
const FULL_BYTES = 100 * MIB;

/** The address of the service on this machine. */
function addressOf(host: string, port: number): string {
  const isEvery = host === '0.0.0.0' || host === '::';
  return `http://${isEvery ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Checks with the readiness probe whether the service runs. */
export async function checkService({ host, port }: Config): Promise<Check> {
  const url = `${addressOf(host, port)}/health/ready`;
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    return warning(
      'service',
      `Nothing answers at ${url}: the service does not run on this machine.`,
      'Start it: npm start',
    );
  }
  const body = await response.text().catch(() => '');
  if (response.ok) return fine('service', `It is ready: ${body}`);
  if (response.status === 503)
    return wrong(
      'service',
      `It runs and is not ready: ${body.slice(0, 500)}`,
      'Fix the problems that the other checks report; if there are none, restart it: it has other settings.',
    );
  return wrong(
    'service',
    `Another program has port ${port}: it answers ${response.status}.`,
    'Set PORT to another one, or stop it.',
  );
}

/** Checks the pooler that the service's connections go through. */
export async function checkPooler({ databaseUrl, databaseDirectUrl }: Config): Promise<Check[]> {
  if (!databaseUrl || !databaseDirectUrl) return [];
  const pool = new pg.Pool({ connectionString: databaseUrl, connectionTimeoutMillis: PATIENCE_MS });
  try {
    await expectOwnStatements(pool);
    return [fine('pooler', 'DATABASE_URL keeps the prepared statements of each connection.')];
  } catch (error) {
    return [wrong('pooler', `DATABASE_URL: ${reasonOf(error)}.`, 'See "PgBouncer" in docs/operations.md.')];
  } finally {
    await pool.end();
  }
}

/** Compares the version of the service that runs on this machine with that of this command. */
export async function checkVersion({ host, port, metricsPort }: Config): Promise<Check[]> {
  const metrics = await fetch(`${addressOf(host, metricsPort ?? port)}/metrics`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
    .then((response) => response.text())
    .catch(() => '');
  const [, labels] = /^shop_build_info\{(.*)\} 1$/m.exec(metrics) ?? [];
  if (labels === undefined) return [];
  const label = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(labels)?.[1] ?? 'unknown';
  const [running, own] = [`${label('version')} (${label('commit')})`, `${VERSION} (${COMMIT})`];
  if (running === own) return [fine('version', `The service and this command are of version ${own}.`)];
  return [
    warning(
      'version',
      `The service is of version ${running}, this command of ${own}.`,
      'Restart the service, or use the command of its version.',
    ),
  ];
}

/** Checks the folder of the embedded database, without writing anything. */
export async function checkDisk({ dataDir, databaseUrl }: Config): Promise<Check[]> {
  if (databaseUrl) return [];
  const folder = path.resolve(dataDir);
  const existing = nearest(folder);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    if (!statSync(existing).isDirectory()) throw new Error('it is not a folder');
    const space = await diskSpace(existing);
    const percent = Math.floor((100 * space.free) / space.size);
    const free = `${Math.floor(space.free / MIB)} MiB (${percent} %) are free for ${folder}.`;
    if (space.free < FULL_BYTES)
      return [wrong('disk', free, 'Free some space: PostgreSQL stops when its disk is full.')];
    if (isScarce(space)) return [warning('disk', free, 'Free some space before it is full.')];
    return [fine('disk', free)];
  } catch (error) {
    return [
      wrong(
        'disk',
        `${folder} cannot be written to: ${reasonOf(error)}.`,
        'Make it writable, or set DATA_DIR to another one.',
      ),
    ];
  }
}

/** The configured keys, or the contents of the key file in the data folder. */
export function configuredKeys({ encryptionKeys, dataDir }: Config): string[] {
  if (encryptionKeys) return encryptionKeys;
  try {
    return [readFileSync(path.join(dataDir, 'encryption.key'), 'utf8').trim()];
  } catch {
    return [];
  }
}

export async function checkRedis({ redisUrl }: Config): Promise<Check[]> {
  if (!redisUrl) return [fine('redis', 'REDIS_URL is not set: one process keeps the rate limits by itself.')];
  const redis = openRedis(redisUrl, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: string | undefined;
  redis.on('error', (error) => (reason ??= reasonOf(error)));
  try {
    await redis.connect();
    await redis.ping();
    const [, policy] = await redis.config('GET', 'maxmemory-policy').then(
      (answer) => answer as string[],
      () => [],
    );
    if (policy === undefined || policy === 'noeviction') return [fine('redis', 'It answers.')];
    return [
      warning(
        'redis',
        `Its maxmemory-policy is ${policy}: when memory is short it drops rate limits and jobs.`,
        'Set maxmemory-policy to noeviction.',
      ),
    ];
  } catch (error) {
    return [
      warning(
        'redis',
        `It does not answer: ${reason ?? reasonOf(error)}. Calls go on; each process keeps rate limits by ` +
          `itself.`,
        'Start it, or correct REDIS_URL.',
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

export async function checkMail({ smtp }: Config): Promise<Check[]> {
  if (!smtp)
    return [fine('mail', 'SMTP_URL is not set: invitations and new passwords are handed over by hand.')];
  const transport = await transportFor(smtp.url);
  try {
    await transport.verify();
    return [fine('mail', 'The mail server lets the service in.')];
  } catch (error) {
    return [
      warning(
        'mail',
        `The mail server refuses: ${reasonOf(error)}`,
        'Correct SMTP_URL: host, port, name and password.',
      ),
    ];
  } finally {
    transport.close();
  }
}

export async function checkMessenger({ messengerApiRoot }: Config): Promise<Check> {
  try {
    // Any answer is enough. Without a bot's token it is a refusal.
    await fetch(messengerApiRoot, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return fine('messenger', `The Bot API answers at ${messengerApiRoot}.`);
  } catch (error) {
    const { cause = error } = error as Error;
    return warning(
      'messenger',
      `The Bot API does not answer at ${messengerApiRoot}: ${reasonOf(cause)}`,
      'Let the service connect to it, or set MESSENGER_API_ROOT to a Bot API server that it can reach.',
    );
  }
}

function nearest(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) ? folder : nearest(path.dirname(folder));
}
