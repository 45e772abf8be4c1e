// Loaded first by a worker: a name service of the suite's own for `.test`, so that nothing is asked beyond
// loopback.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const ANSWERS = {
  'private.test': ['127.0.0.1'],
  'mixed.test': ['93.184.215.14', '127.0.0.1'],
  'mixed-last.test': ['127.0.0.1', '93.184.215.14'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'compatible.test': ['::7f00:1'],
  'v6.test': ['::1'],
  'unspecified.test': ['0.0.0.0'],
};
const never = () => new Promise(() => undefined);
const unknown = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
const answer = (name, family) =>
  name === 'slow.test'
    ? never()
    : Promise.resolve((ANSWERS[name] ?? []).filter((ip) => ip.includes(':') === (family === 6)));

const system = dns.lookup;
dns.lookup = async (name, options) => {
  if (!name.endsWith('.test')) return system(name, options);
  const addresses = [...(await answer(name, 4)), ...(await answer(name, 6))];
  return addresses.length > 0
    ? addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    : unknown();
};
dns.Resolver.prototype.resolve4 = async (name) => answer(name, 4);
dns.Resolver.prototype.resolve6 = async (name) => answer(name, 6);
syncBuiltinESMExports();
