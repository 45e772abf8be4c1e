import ipaddr from 'ipaddr.js';

/** What cannot be read as an address counts as one network: nobody gets a limit of their own by garbage. */
const UNREADABLE = 'unreadable';

/** An address with its port: `192.0.2.1:443`, `[2001:db8::1]:443`. Some proxies forward such ones. */
const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d+|\[([^\]]+)\](?::\d+)?)$/;

/** The address alone, as a proxy may have quoted it or put a port or a zone beside it; null if it is none. */
export function bareAddress(text: string): string | null {
  const unquoted = text.trim().replace(/^"(.*)"$/, '$1');
  const [, ipv4, ipv6] = WITH_PORT.exec(unquoted) ?? [];
  const bare = (ipv4 ?? ipv6 ?? unquoted).replace(/%.*$/, '');
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? bare : null;
}

/**
 * The network that limits count a caller by. Of IPv6 it is the /64, since one machine commonly has all
 * addresses of one and could take another for each request.
 * @param ipv4Octets how much of an IPv4 address counts: 4 is the address itself, 3 its /24
 * @param ipv6Parts how much of an IPv6 address counts: 4 is the /64, 3 the /48, which one line may have
 */
export function networkOf(address: string, ipv4Octets: 3 | 4, ipv6Parts: 3 | 4 = 4): string {
  const bare = bareAddress(address);
  if (bare === null) return UNREADABLE;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return (parsed as ipaddr.IPv4).octets.slice(0, ipv4Octets).join('.');
  return (parsed as ipaddr.IPv6).parts.slice(0, ipv6Parts).join(':');
}

const INSIDE = ['loopback', 'private', 'linkLocal', 'uniqueLocal'];

/** Whether an address is of this machine or of a private network. */
export function isInside(address: string): boolean {
  const bare = bareAddress(address);
  return bare !== null && INSIDE.includes(ipaddr.process(bare).range());
}
