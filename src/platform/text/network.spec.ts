import { bareAddress, isInside, networkOf } from './network.js';

/** docs/behaviour.md §2.3, §2.6: what limits count a caller by, as proxies may write the address. */
describe('the network of an address', () => {
  const of = (address: string) => networkOf(address, 4);

  it.each([
    [
      'an address',
      ['9.9.9.9', ' 9.9.9.9 ', '9.9.9.9:1001', '9.9.9.9:1002', '"9.9.9.9:1001"', '::ffff:9.9.9.9'],
    ],
    [
      'a /64 of IPv6',
      ['2001:db8::1', '2001:DB8:0:0:ffff::9', '[2001:db8::1]', '[2001:db8::1]:443', '"[2001:db8::2]:443"'],
    ],
    ['a link', ['fe80::1', 'fe80::2%eth0', '[fe80::3%25eth0]:443']],
    [
      'garbage',
      ['unknown', '127.1', '9.9.9.9:abc', '9.9.9', '9.9.9.999', '0x7f.0.0.1', '[v6]:443', '_hidden', ''],
    ],
  ])('is one for %s', (_, spellings) => {
    expect(new Set(spellings.map(of)).size).toBe(1);
  });

  it('is another for another address, or another /64', () => {
    const addresses = ['9.9.9.9', '9.9.9.8', '2001:db8::1', '2001:db8:0:1::1', 'fe80::1', 'unknown'];
    expect(new Set(addresses.map(of)).size).toBe(addresses.length);
  });

  it('may be wider: a /24, a /48', () => {
    const wide = (address: string) => networkOf(address, 3, 3);
    expect(wide('9.9.9.9:1001')).toBe(wide('9.9.9.8'));
    expect(wide('9.9.9.9')).not.toBe(wide('9.9.8.9'));
    expect(wide('2001:db8:0:1::1')).toBe(wide('[2001:db8:0:2::1]:443'));
    expect(wide('2001:db8:0:1::1')).not.toBe(wide('2001:db8:1:1::1'));
  });
});

describe('an address as a proxy wrote it', () => {
  it.each([
    ['9.9.9.9:1001', '9.9.9.9'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', null],
    ['9.9.9.9:abc', null],
    ['127.1', null],
  ])('%s is %s', (written, address) => {
    expect(bareAddress(written)).toBe(address);
  });

  it('is inside if it is of this machine or of a private network', () => {
    for (const inside of ['127.0.0.1', '10.1.2.3:80', '192.168.0.1', '[::1]:80', 'fe80::1%eth0', 'fd00::1'])
      expect([inside, isInside(inside)]).toEqual([inside, true]);
    for (const outside of ['9.9.9.9', '2001:db8::1', 'unknown', '127.1'])
      expect([outside, isInside(outside)]).toEqual([outside, false]);
  });
});
