// Inside addresses in every spelling, written straight into the database past the check on saving: nothing
// reaches them.
import path from 'node:path';
import { Canary } from '../canary.mjs';

const NAMES = path.join(import.meta.dirname, '../names.mjs');
const ALLOWED_ERRORS = new Set(['destination address is not allowed']);

const of = (firsts, zeros, ones) =>
  firsts.flatMap((a) => zeros.flatMap((b) => ones.map((c) => `${a}.${b}.${b}.${c}`)));
const OCTETS = of(
  ['127', '0177', '0x7f', '0X7F', '00177', '0x007f'],
  ['0', '00', '0x0', '0x00'],
  ['1', '01', '0x1', '0x01'],
);
const listed = (text) => text.trim().split(/\s+/);
const SHORT = listed(`
  127.1 127.0.1 0177.1 0x7f.1 127.0x1 0x7f.0.1 2130706433 0x7f000001 0X7F000001 017700000001
  0 0.0 0.0.0.0 0x0 00 127.0.1. 127.0.0.1.`);
const UNICODE =
  '１２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 ①②⑦.⓪.⓪.① 127。1 %31%32%37.0.0.1 127%2e0%2e0%2e1 %30x7f.1'.split(
    ' ',
  );
const IPV6 = listed(`
  ::1 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 ::0:1 0::1 ::ffff:127.0.0.1
  ::ffff:7f00:1 ::FFFF:7F00:0001 0:0:0:0:0:ffff:7f00:1
  0::ffff:127.0.0.1 :: ::ffff:0.0.0.0 ::ffff:0:0`).map((host) => `[${host}]`);
const LOCAL_NAMES = 'localhost LOCALHOST LocalHost loc%61lhost ｌocalhost localhost.'.split(' ');
const TEST_NAMES =
  'private.test mapped.test v6.test unspecified.test mixed.test mixed-last.test compatible.test'.split(' ');
/** Forms that lead inside only through a gateway or another resolver: there is nobody to show it here. */
const GATEWAYS = [
  ...listed(`
    ::127.0.0.1 ::7f00:1 64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2002:7f00:1::1
    ::ffff:0:127.0.0.1 ::1%25lo fe80::1%25lo`).map((host) => `[${host}]`),
  ...listed(`
    user@127.0.0.1 user:pass@localhost 127.0.0.1%2f@127.0.0.1
    169.254.169.254 10.0.0.1 192.168.0.1 100.100.100.200 db.internal`),
];

/** Those that a worker without the guard is shown to follow. */
const LEADING = [...OCTETS, ...SHORT, ...UNICODE, ...IPV6, ...LOCAL_NAMES, ...TEST_NAMES.slice(0, 4)];
const ALL = [...LEADING, ...TEST_NAMES.slice(4), ...GATEWAYS];

async function spellings(lab) {
  const canary = await Canary.start();
  const env = { WEBHOOK_RETRY_DELAYS: '0,0,0,0,0' };
  try {
    return await lab.stage(
      { stores: ALL.length, orders: 1, deliverers: 0, env, preload: NAMES },
      async (stage) => {
        const ids = stage.stores.map(({ id }) => id);
        const point = (scheme, hosts) =>
          lab.query(
            `update webhook_endpoints e set url = t.url
             from unnest($1::uuid[], $2::text[]) as t (id, url) where e.store_id = t.id`,
            [ids.slice(0, hosts.length), hosts.map((host) => `${scheme}://${host}:${canary.port}/`)],
          );
        const delivered = async (allow, hosts) => {
          canary.connections = 0;
          await Promise.all(hosts.map((_, i) => stage.writer.change(stage.writer.orders[i])));
          const worker = await stage.startDeliverer({ WEBHOOK_ALLOW_PRIVATE_TARGETS: allow });
          await stage.quiet();
          await worker.kill();
          return canary.connections;
        };
        await point('http', LEADING);
        const reached = await delivered('true', LEADING);
        await lab.query('delete from webhook_deliveries where store_id = any($1)', [ids]);
        stage.writer.acknowledged.length = 0;
        let leaked = 0;
        for (const scheme of ['https', 'http']) {
          await point(scheme, ALL);
          leaked += await delivered('false', ALL);
        }
        const errors = await lab.query(
          'select distinct error from webhook_attempts where store_id = any($1)',
          [ids],
        );
        const problems = [
          // Not all: what a system makes of the stranger ones differs, and some have no IPv6.
          ...(reached < 100
            ? [`only ${reached} of ${LEADING.length} spellings lead to the canary without the guard`]
            : []),
          ...(leaked > 0 ? [`${leaked} connections reached the canary`] : []),
          ...errors
            .filter(({ error }) => !ALLOWED_ERRORS.has(error))
            .map(({ error }) => `an attempt was recorded as ${error}`),
        ];
        const done = `${ALL.length} spellings, https
          and http; ${reached} lead inside without the guard, ${leaked} with it`;
        return { done, ...(await stage.verdict({ problems })) };
      },
    );
  } finally {
    await canary.stop();
  }
}

export const faults = [{ id: 'F23', name: 'inside addresses', run: spellings }];
