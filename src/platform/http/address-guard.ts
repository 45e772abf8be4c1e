import type { LookupAddress } from 'node:dns';
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { outside } from '../held.js';
import { type Sentence, sentence } from '../problems.js';
import { parseUrl } from '../text/url.js';
import { within } from '../timers.js';

/** The longest webhook URL, in characters. */
const MAX_URL_LENGTH = 2048;

/**
 * The time limit of the first query to name servers, in milliseconds, and the number of tries. No answer
 * takes about three seconds.
 */
const DNS_PATIENCE = { timeout: 1000, tries: 2 };
/** How long saving a URL waits for name servers, in milliseconds. */
const SAVE_PATIENCE_MS = 3000;

const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Azure's platform address. It is special on every host there, but no registry lists it. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Names that mean this machine or its own network (RFC 6761, 6762, 8375; ICANN's reservation of .internal;
 * habit).
 */
const INSIDE_NAME =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|lan|corp|home|home\.arpa|onion)$/;
/** Names that never resolve, and for which name servers should not be asked (RFC 6761, section 6.4). */
const NO_NAME = /(^|\.)invalid\.?$/i;
/** A public name after URL parsing: at least two labels, none of them empty, so no trailing dot either. */
const PUBLIC_NAME = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/;
const HTTPS_PORT = 443;
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * A webhook target that may not be used. The message is for the tenant, so it names the rule but never a
 * resolved address.
 */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';

  constructor(readonly sentence: Sentence) {
    super(sentence.text);
  }
}

/** @param rule what the address must be */
const refused = (rule: string, problem: 'no_password' | 'port' | 'url' | 'https' | 'public_host') =>
  new TargetRefused(sentence(`url ${rule}`, problem, { path: 'url' }));

/** A host name for which no address was found. */
export class HostNotResolved extends Error {
  override readonly name = 'HostNotResolved';
}

/**
 * `allowPrivate` (development and tests only) also admits http, every port, and addresses that are not
 * public.
 */
export interface TargetRules {
  allowPrivate: boolean;
}

/** `lookup` replaces the name service. It is asked for all addresses of a name. */
export interface ResolutionRules extends TargetRules {
  lookup?: LookupFunction;
}

/**
 * Whether packets to this address go to the public internet. Expects the canonical spelling that URL and the
 * name service return; anything else, including zone ids, is not public. For IPv6 only the global unicast
 * block counts, without its special parts, because everything outside it is special or unassigned (IANA
 * special-purpose address registries, RFC 6890). That refuses IPv4-compatible, NAT64 and 6to4 forms, which
 * contain an IPv4 address.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0 || ip.includes('%')) return false;
  // ipaddr.js confuses ::8.8.8.8 with ::ffff:8.8.8.8. URL writes both in hexadecimal, which it can
  // distinguish.
  const address = ipaddr.process(isIPv6(ip) ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6
    ? address.match(IPV6_GLOBAL_UNICAST)
    : address.toString() !== AZURE_WIRE_SERVER;
}

/**
 * Parses a webhook URL and applies every rule that needs no network. All spellings of an address (decimal,
 * octal, hexadecimal, short, full-width) are covered, because URL rewrites them to one.
 * @throws TargetRefused if the URL breaks a rule
 */
export function checkTargetUrl(raw: string, { allowPrivate }: TargetRules): URL {
  const url = parse(raw, allowPrivate);
  if (url.username !== '' || url.password !== '')
    throw refused('must not contain a user name or password', 'no_password');
  if (url.port === '0') throw refused('must have a port from 1 to 65535', 'port');
  if (allowPrivate) return url;
  // Web endpoints use port 443 or an unprivileged port. The other ports belong to classic services (SSH,
  // SMTP, SMB), to which nobody should be able to make the service connect.
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < FIRST_UNPRIVILEGED_PORT) {
    throw refused(`must use port ${HTTPS_PORT} or one of ${FIRST_UNPRIVILEGED_PORT} to 65535`, 'port');
  }
  checkHost(url.hostname);
  return url;
}

function parse(raw: string, allowPrivate: boolean): URL {
  if (raw.length > MAX_URL_LENGTH) throw refused(`must be at most ${MAX_URL_LENGTH} characters long`, 'url');
  // URL silently drops or rewrites these characters, so another parser of the same text could find another
  // host.
  if (/[\s\p{C}\\]/u.test(raw))
    throw refused('must not contain spaces, control characters or backslashes', 'url');
  const scheme = allowPrivate ? /^https?:\/\/(?!\/)/i : /^https:\/\/(?!\/)/i;
  if (!scheme.test(raw))
    throw allowPrivate
      ? refused('must start with http:// or https://', 'url')
      : refused('must start with https://', 'https');
  const url = parseUrl(raw);
  if (!url) throw refused('must be a valid URL', 'url');
  return url;
}

function checkHost(hostname: string): void {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const allowed = isIP(literal)
    ? isPublicAddress(literal)
    : PUBLIC_NAME.test(hostname) && !INSIDE_NAME.test(hostname);
  if (!allowed) throw refused('must point to a public host', 'public_host');
}

/**
 * Resolves a host name, and returns the addresses only if all of them are public. A single private address
 * among public ones is an attempt to reach an internal host.
 * @throws TargetRefused if an address is not public, HostNotResolved if there is none
 */
export async function vettedAddresses(hostname: string, rules: ResolutionRules): Promise<LookupAddress[]> {
  const addresses = NO_NAME.test(hostname) ? [] : await resolve(hostname, rules).catch(() => []);
  if (addresses.length === 0) throw new HostNotResolved(`${hostname} could not be resolved`);
  if (!rules.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw refused('must point to a public host', 'public_host');
  }
  return addresses;
}

/**
 * The check when a URL is saved: `checkTargetUrl`, and one resolution of the name, so that a private target
 * is refused early. A name that does not resolve passes, because its records may be added later. Deliveries
 * must not rely on this check.
 * @throws TargetRefused if the URL breaks a rule or an address is not public
 */
export async function resolveTarget(
  raw: string,
  rules: ResolutionRules & { patienceMs?: number },
): Promise<URL> {
  const url = checkTargetUrl(raw, rules);
  if (rules.allowPrivate || isIP(url.hostname.replace(/^\[|\]$/g, ''))) return url;
  outside('a name server');
  const vetted = vettedAddresses(url.hostname, rules).catch((error: unknown) => {
    if (!(error instanceof HostNotResolved)) throw error;
  });
  await within(rules.patienceMs ?? SAVE_PATIENCE_MS, vetted, () => undefined);
  return url;
}

function resolve(hostname: string, { allowPrivate, lookup }: ResolutionRules): Promise<LookupAddress[]> {
  if (lookup) return resolveBy(lookup, hostname);
  // The system's look-up reads the hosts file, which private names may need, but it occupies one of libuv's
  // four threads: a few slow domains would stall every store's deliveries and all file access. For public
  // names the servers are asked directly.
  return allowPrivate ? systemLookup(hostname, { all: true }) : resolveByServers(hostname);
}

async function resolveByServers(hostname: string): Promise<LookupAddress[]> {
  const resolver = new Resolver(DNS_PATIENCE);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ];
}

function resolveBy(lookup: LookupFunction, hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolved, rejected) => {
    lookup(hostname, { all: true }, (error, answer, family) => {
      if (error) rejected(error);
      else
        resolved(typeof answer === 'string' ? [{ address: answer, family: family ?? isIP(answer) }] : answer);
    });
  });
}
