import { parseUrl } from '../text/url.js';

/**
 * `postgres://user:password@a:5432,b:5433/shop?target_session_attrs=read-write`, as in libpq: one host, or
 * several hosts, one of which accepts writes. Neither the URL class nor node-postgres can read several.
 */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;
const DEFAULT_PORT = '5432';
/** libpq's names for a host that accepts writes, the only kind that the service can use. */
const WRITABLE = ['read-write', 'primary'];
const HIGHEST_PORT = 65_535;

/**
 * The same URL with a single host, by default its first one, which the URL class and node-postgres can read.
 */
export function withHost(url: string, host = hostsOf(url)[0]): string {
  return url.replace(PARTS, (_, start: string, _hosts: string, rest: string) => `${start}${host}${rest}`);
}

/** The hosts of a URL, each as `host:port`; a single empty text if the URL names none. */
export function hostsOf(url: string): string[] {
  const hosts = PARTS.exec(url)?.[2] ?? '';
  return hosts.split(',').map((host) => (host === '' || hasPort(host) ? host : `${host}:${DEFAULT_PORT}`));
}

/** Equal for URLs of the same server or servers, whatever the database and role. */
export function serverOf(url: string): string {
  const { searchParams } = new URL(withHost(url));
  return [...hostsOf(url), searchParams.get('host'), searchParams.get('port')].join(',');
}

/** The URL of the same database with another role. */
export function withRole(url: string, role: string, password: string): string {
  const parsed = new URL(withHost(url));
  parsed.username = encodeURIComponent(role);
  parsed.password = encodeURIComponent(password);
  const hosts = PARTS.exec(url)![2];
  return parsed.href.replace(
    PARTS,
    (_, start: string, _host: string, rest: string) => `${start}${hosts}${rest}`,
  );
}

/** The hosts and the database of `url` with the role and the password of `login`. */
export function withLogin(url: string, login: string): string {
  const { username, password } = new URL(withHost(login));
  return withRole(url, decodeURIComponent(username), decodeURIComponent(password));
}

/** The name of the database in a URL. */
export function databaseOf(url: string): string {
  return decodeURIComponent(new URL(withHost(url)).pathname.slice(1));
}

/**
 * The password in a URL that connects as the service's own role, which sees every store and owns nothing.
 * @returns null for the URL of any other role, such as the owner of the tables
 */
export function servicePasswordIn(url: string): string | null {
  const { username, password } = new URL(withHost(url));
  const isOwn = decodeURIComponent(username) === `${databaseOf(url).slice(0, 56)}_system`;
  return isOwn ? decodeURIComponent(password) : null;
}

/** @returns what is wrong with a database's URL, or null */
export function databaseUrlProblem(url: string): string | null {
  const hosts = hostsOf(url);
  for (const [index, host] of hosts.entries()) {
    if (hosts.length === 1) break;
    const name = `host ${index + 1} of ${hosts.length}`;
    if (host === '') return `${name} is empty; several hosts are written host1:5432,host2:5432`;
    const port = host.slice(host.lastIndexOf(':') + 1);
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > HIGHEST_PORT)
      return `the port of ${name} must be a number from 1 to ${HIGHEST_PORT}`;
    if (!parseUrl(withHost(url, host))) return `${name} is not a host name or address`;
    if (hosts.indexOf(host) < index) return `${name} is named twice`;
  }
  const parsed = PARTS.test(url) ? parseUrl(withHost(url)) : null;
  if (!parsed) return 'must be an absolute postgres or postgresql URL';
  const { searchParams } = parsed;
  if ([searchParams.get('host'), searchParams.get('port')].some((value) => value?.includes(',')))
    return 'several hosts stand between @ and /, not in a parameter';
  const attributes = searchParams.get('target_session_attrs') ?? WRITABLE[0];
  if (!WRITABLE.includes(attributes))
    return `target_session_attrs must be ${WRITABLE.join(' or ')}: the service writes`;
  return null;
}

/** The colons of an IPv6 address are inside brackets. */
const hasPort = (host: string) => host.replace(/\[[^\]]*\]/, '').includes(':');

/** The variables that say more of the database of DATABASE_URL, and what that is then. */
export const BESIDE_DATABASE_URL = {
  DATABASE_DIRECT_URL: ', the way to the same database through a pooler',
  DATABASE_SERVICE_PASSWORD: '; the embedded database makes its own',
  DATABASE_REPLICA_URL: ', the primary that it follows',
};
