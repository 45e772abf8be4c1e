import { parseUrl } from '../text/url.js';

/** @returns what is wrong with the URL of a Redis, or null */
export function redisUrlProblem(url: string): string | null {
  if (/^rediss?\+sentinel:/.test(url))
    return 'names sentinels: give the address of a proxy that leads to the master, such as HAProxy';
  const parsed = parseUrl(url);
  if (!parsed || !['redis:', 'rediss:'].includes(parsed.protocol))
    return 'must be an absolute redis or rediss URL';
  return /^(\/\d{0,4})?$/.test(parsed.pathname)
    ? null
    : 'the number of the database must follow the host: redis://host:6379/0';
}
