import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * deploy/groups/haproxy.cfg as it is shipped, with addresses and files of this machine, without TLS, for
 * callers of one address.
 * @param ports those of the groups' services, by name
 */
export function balancerSettings(folder, port, ports) {
  let text = readFileSync(path.resolve(import.meta.dirname, '../../deploy/groups/haproxy.cfg'), 'utf8');
  const moves = [
    ['bind *:8080', `bind 127.0.0.1:${port}`],
    [/\n  # Every \.pem file.*\n  bind \*:8443.*/, ''],
    [/\n  http-request redirect scheme https .*/, ''],
    [/\n  tcp-request connection reject .*/, ''],
    [/\/etc\/haproxy\/stores\.map/g, path.join(folder, 'stores.map')],
    ['/run/haproxy/admin.sock', path.join(folder, 'admin.sock')],
    ['log stdout format raw local0 notice', 'log stderr format raw local0 notice'],
    // A busy machine of tests may answer a check late.
    ['fall 2', 'fall 60'],
    ...Object.entries(ports).map(([name, own]) => [
      new RegExp(`\\n  server ${name}1 .*\\n  server ${name}2 .*`),
      `\n  server ${name}1 127.0.0.1:${own}`,
    ]),
  ];
  for (const [from, to] of moves) {
    const moved = text.replace(from, to);
    if (moved === text) throw new Error(`deploy/groups/haproxy.cfg has no ${from}`);
    text = moved;
  }
  return text;
}
