import path from 'node:path';
import { parseUrl } from '../text/url.js';

/** What names the hosts: `a:5432` of `postgres://user:password@a:5432/shop`. */
const HOSTS = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/s;
const DEFAULT_PORT = '5432';
/** libpq's names for a server that accepts writes, the only kind that the service can use. */
const WRITABLE = ['read-write', 'primary'];

/** The host of a URL as `host:port`; an empty text if the URL names none. */
export function hostOf(url: string): string {
  const { host, port } = new URL(url);
  return host === '' || port !== '' ? host : `${host}:${DEFAULT_PORT}`;
}

/** Equal for URLs of the same server, whatever the database and role. */
export function serverOf(url: string): string {
  const { searchParams } = new URL(url);
  return [hostOf(url), searchParams.get('host'), searchParams.get('port')].join(',');
}

/** The URL of the same database with another role. */
export function withRole(url: string, role: string, password: string): string {
  const parsed = new URL(url);
  parsed.username = encodeURIComponent(role);
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}

/** The host and the database of `url` with the role and the password of `login`. */
export function withLogin(url: string, login: string): string {
  const { username, password } = new URL(login);
  return withRole(url, decodeURIComponent(username), decodeURIComponent(password));
}

/** The name of the database in a URL. */
export function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/**
 * The password in a URL that connects as the service's own role, which sees every store and owns nothing.
 * @returns null for the URL of any other role, such as the owner of the tables
 */
export function servicePasswordIn(url: string): string | null {
  const { username, password } = new URL(url);
  const isOwn = decodeURIComponent(username) === `${databaseOf(url).slice(0, 56)}_system`;
  return isOwn ? decodeURIComponent(password) : null;
}

/** @returns what is wrong with a database's URL, or null */
export function databaseUrlProblem(url: string): string | null {
  if (HOSTS.exec(url)?.[1].includes(',')) return SEVERAL;
  const parsed = HOSTS.test(url) ? parseUrl(url) : null;
  if (!parsed) return 'must be an absolute postgres or postgresql URL';
  const { searchParams } = parsed;
  if (['host', 'port'].some((name) => searchParams.get(name)?.includes(','))) return SEVERAL;
  const attributes = searchParams.get('target_session_attrs') ?? WRITABLE[0];
  if (!WRITABLE.includes(attributes))
    return `target_session_attrs must be ${WRITABLE.join(' or ')}: the service writes`;
  return null;
}

const SEVERAL =
  'names several hosts: give the address of a proxy that leads to the one that takes writes, such as HAProxy';

/** The variables that say more of the database of DATABASE_URL, and what that is then. */
export const BESIDE_DATABASE_URL = {
  DATABASE_DIRECT_URL: ', the way to the same database through a pooler',
  DATABASE_SERVICE_PASSWORD: '; the embedded database makes its own',
  DATABASE_REPLICA_URL: ', the primary that it follows',
};

/** Names the database without user and password: a command in another terminal may mean another one. */
export function whichDatabase(config: {
  dataDir: string;
  databaseUrl: string | null;
  databaseDirectUrl: string | null;
}): string {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (!url) return `embedded database in ${path.resolve(config.dataDir)}`;
  return `database ${databaseOf(url)} on ${hostOf(url) || 'this machine'}`;
}
