import ipaddr from 'ipaddr.js';

/**
 * The network that limits count a caller by. Of IPv6 it is the /64, since one machine commonly has all
 * addresses of one and could take another for each request.
 * @param ipv4Octets how much of an IPv4 address counts: 4 is the address itself, 3 its /24
 * @returns the address as it is where it is none
 */
export function networkOf(address: string, ipv4Octets: 3 | 4): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return (parsed as ipaddr.IPv4).octets.slice(0, ipv4Octets).join('.');
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
