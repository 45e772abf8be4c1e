import { parseUrl } from '../text/url.js';

const SENTINEL_PORT = '26379';
/** The hosts are taken out before the URL class reads the rest, because it allows only one host. */
const PARTS = /^(rediss?)\+sentinel:\/\/((?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * The URL of a master that sentinels know by name:
 * `redis+sentinel://user:password@host1:26379,host2:26379/mymaster/0`.
 */
export interface SentinelUrl {
  sentinels: { host: string; port: number }[];
  /** The sentinels' name for the master. */
  name: string;
  db: number;
  /** The login of the master. */
  username?: string;
  password?: string;
  /** The login of the sentinels, from the URL's parameters. */
  sentinelUsername?: string;
  sentinelPassword?: string;
  /** Whether master and sentinels use TLS (`rediss+sentinel:`). */
  tls: boolean;
}

/** @returns null for the URL of a single Redis */
export function sentinelUrl(url: string): SentinelUrl | null {
  const parts = PARTS.exec(url);
  const rest = parts && parseUrl(`redis://${parts[2]}sentinels${parts[4]}`);
  if (!rest) return null;
  const [, name = '', db = '0'] = rest.pathname.split('/');
  const given = (text: string | null) => (text ? decodeURIComponent(text) : undefined);
  return {
    sentinels: parts[3].split(',').map((host) => {
      const { hostname, port } = parseUrl(`redis://${host}`) ?? { hostname: '', port: '' };
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || SENTINEL_PORT) };
    }),
    name: decodeURIComponent(name),
    db: /^\d{1,4}$/.test(db) ? Number(db) : NaN,
    username: given(rest.username),
    password: given(rest.password),
    sentinelUsername: rest.searchParams.get('sentinelUsername') ?? undefined,
    sentinelPassword: rest.searchParams.get('sentinelPassword') ?? undefined,
    tls: parts[1] === 'rediss',
  };
}

/** @returns what is wrong with the URL of a Redis or of its sentinels, or null */
export function redisUrlProblem(url: string): string | null {
  const sentinel = sentinelUrl(url);
  if (!sentinel) {
    const parsed = parseUrl(url);
    if (parsed && ['redis:', 'rediss:'].includes(parsed.protocol)) {
      return /^(\/\d{0,4})?$/.test(parsed.pathname)
        ? null
        : 'the number of the database must follow the host: redis://host:6379/0';
    }
    return (
      'must be an absolute redis or rediss URL, or redis+sentinel://host1:26379,host2:26379/name of the ' +
      'master'
    );
  }
  const bad = sentinel.sentinels.findIndex(({ host, port }) => host === '' || port === 0);
  if (bad >= 0) return `sentinel ${bad + 1} of ${sentinel.sentinels.length} must be a host, or host:port`;
  if (sentinel.name === '')
    return 'the name of the master must follow the sentinels: redis+sentinel://host1,host2/mymaster';
  return Number.isNaN(sentinel.db)
    ? 'the number of the database must follow the name of the master: /mymaster/0'
    : null;
}
