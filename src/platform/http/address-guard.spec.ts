import { createServer, type LookupFunction, type Server } from 'node:net';
import {
  checkTargetUrl,
  isPublicAddress,
  resolveTarget,
  TargetRefused,
  vettedAddresses,
} from './address-guard.js';
import { WebhookClient } from '../../webhooks/delivery/webhook-client.js';

const TIMEOUT_MS = 300;
/** Any port that is allowed; the canary's own takes its place. */
const PORT = 45678;

const LOOPBACK_SPELLINGS = [
  '127.0.0.1 127.1 127.0.1 0177.0.0.1 0x7f.0.0.1 0x7f.1 0X7F.0X0.0X0.0X1 2130706433 0x7f000001',
  '0x7F000001 017700000001 00000177.0.0.1 127.0x1 127.000.000.001 0177.1 127.0.0.1. 127.1. ①②⑦.⓪.⓪.①',
  '１２７.０.０.１ 127。0。0。1 127．0．0．1 127｡1 %31%32%37.0.0.1 127%2e0%2e0%2e1 0 0.0.0.0 00 0x0 0.0',
  '0x7f.0x0.0x0.0x1',
]
  .join(' ')
  .split(' ');

const PRIVATE_IPV4 = [
  '127.0.0.1 127.0.0.2 127.255.255.255 0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 172.16.0.1',
  '172.31.255.255 192.168.0.1 192.168.255.255 169.254.169.254 169.254.170.2 169.254.0.1 100.64.0.1',
  '100.100.100.200 100.127.255.255 168.63.129.16 192.0.0.1 192.0.0.192 192.0.2.1 198.51.100.7',
  '203.0.113.9 198.18.0.1 198.19.255.255 192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1 224.0.0.1',
  '239.255.255.255 240.0.0.1 255.255.255.255',
]
  .join(' ')
  .split(' ');

const PRIVATE_IPV6 = [
  ':: ::1 ::2 ::127.0.0.1 ::7f00:1 ::169.254.169.254 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1',
  '::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:168.63.129.16 ::ffff:100.64.0.1 ::ffff:0.0.0.0',
  '0:0:0:0:0:ffff:7f00:0001 ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 64:ff9b::127.0.0.1 64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8 64:ff9b::a9fe:a9fe 64:ff9b:1::1 64:ff9b:1:fffe::7f00:1 2002:7f00:1::',
  '2002:a9fe:a9fe:: 2002:808:808::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1::1 2001:2::1',
  '2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:db8::1 2001:db8:ffff::1',
  '2620:4f:8000::1 3fff::1 3fff:fff::1 4000::1 5f00::1 100::1 100:0:0:1::1 fc00::1 fd00::1',
  'fd00:ec2::254 fd20:ce::254 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1 a000::1 e000::1',
]
  .join(' ')
  .split(' ');

const INSIDE_NAMES = [
  'localhost LOCALHOST LocalHost ｌocalhost loc%61lhost loc\u00ADalhost localhost. localhost..',
  'api.localhost a.b.localhost localhost.localdomain printer.local db.internal',
  'metadata.google.internal metadata metadata. intranet postgres redis router.lan nas.home host.corp',
  'gateway.home.arpa hidden.onion host.docker.internal x.LOCAL x｡local a..example.com .example.com',
  'example.com. example.com.. - _',
]
  .join(' ')
  .split(' ');

const MISUSED_URLS = [
  ...[
    'http',
    'HTTP',
    'ftp',
    'file',
    'gopher',
    'ws',
    'wss',
    'data',
    'javascript',
    'ldap',
    'dict',
    'blob',
    'unix',
    'httpss',
  ].map((scheme) => `${scheme}://hooks.example.com:${PORT}/`),
  ...['user@', 'user:password@', ':password@', '127.0.0.1@', 'example.org%2f@', 'a:b:c@', '%00@'].map(
    (credentials) => `https://${credentials}hooks.example.com:${PORT}/`,
  ),
  `https://hooks.example.com@127.0.0.1:${PORT}/`,
  `https://hooks.example.com:${PORT}@127.0.0.1:${PORT}/`,
  ...[0, 1, 22, 25, 80, 110, 445, 444, 1023, 65536, 99999, -1].map(
    (port) => `https://hooks.example.com:${port}/`,
  ),
  ...[
    'https:127.0.0.1',
    'https:/127.0.0.1',
    'https:///127.0.0.1',
    'https:\\\\127.0.0.1',
    '//127.0.0.1',
    '127.0.0.1',
  ].map((start) => `${start}:${PORT}/`),
  ...[' ', '\t', '\n', '\r', '\0', '\u00A0', '\uFEFF'].map(
    (space) => `${space}https://hooks.example.com:${PORT}/`,
  ),
  ...['\t', '\n', '\\', '\u200B', '\u202E', ' '].map(
    (inside) => `https://hooks.ex${inside}ample.com:${PORT}/`,
  ),
  `https://hooks.example.com\\@127.0.0.1:${PORT}/`,
  `https://127.0.0.1:${PORT}\\@hooks.example.com/`,
  `https://127.0.0.1:${PORT}#@hooks.example.com/`,
  `https://127.0.0.1:${PORT}?@hooks.example.com/`,
  `https://[fe80::1%25eth0]:${PORT}/`,
  `https://[fe80::1%eth0]:${PORT}/`,
  `https://[::1%25lo]:${PORT}/`,
  `https://[::1%lo]:${PORT}/`,
  `https://[::1:${PORT}/`,
  `https://[v1.127]:${PORT}/`,
  `https://::1:${PORT}/`,
  `https://256.256.256.256:${PORT}/`,
  `https://0x100000001:${PORT}/`,
  `https://127.0.0.1.1:${PORT}/`,
  `https://xn--:${PORT}/`,
  `https://hooks.example.com:${PORT}/${'a'.repeat(2048)}`,
  `https://${'a'.repeat(64)}.example.com:${PORT}/`,
  'https://',
  'https://?',
  'hooks.example.com',
  '',
];

const REFUSED_URLS = [
  ...[...LOOPBACK_SPELLINGS, ...PRIVATE_IPV4, ...INSIDE_NAMES].map((host) => `https://${host}:${PORT}/`),
  ...PRIVATE_IPV6.map((host) => `https://[${host}]:${PORT}/`),
  ...MISUSED_URLS,
];

const PUBLIC_ADDRESSES = [
  '1.1.1.1 8.8.8.8 9.9.9.9 11.0.0.1 93.184.215.14 100.63.255.255 100.128.0.1 126.255.255.255',
  '128.0.0.1 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.1 172.15.255.255 172.32.0.1',
  '192.0.1.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 223.255.255.254 ::ffff:8.8.8.8',
  '2001:200::1 2001:4860:4860::8888 2003::1 2400:cb00::1 2600:1f00::1 2606:4700:4700::1111',
  '2620:fe::fe 2a00:1450:4001::1 2a03:2880::1 2c0f:f248::1',
]
  .join(' ')
  .split(' ');

const PUBLIC_URLS = [
  ...PUBLIC_ADDRESSES.map((ip) => (ip.includes(':') ? `https://[${ip}]/` : `https://${ip}/`)),
  'https://hooks.example.com/',
  'https://hooks.example.com',
  'HTTPS://Hooks.Example.COM/Path',
  'https://example.com:443/',
  'https://example.com:1024/',
  'https://example.com:8443/hooks?store=1&x=%20#fragment',
  'https://example.com:65535/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://mylocalhost.com/',
  'https://my-internal.io/',
  'https://notlocal.dev/',
  'https://münchen.de/straße',
  'https://例え.jp/',
  'https://xn--mnchen-3ya.de/',
  'https://a_b.example.com/',
  'https://1.2.3.4.nip.io/',
  'https://1e100.net/',
  'https://example.com/@127.0.0.1',
  'https://example.com/?next=https://127.0.0.1/',
  `https://example.com/${'a'.repeat(2048 - 'https://example.com/'.length)}`,
];

const answering =
  (...addresses: string[]): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

/** Counts connections to loopback, which is stricter than counting requests. */
class Canary {
  connections = 0;
  port = 0;
  private readonly servers: Server[] = [];

  async start(): Promise<void> {
    for (const host of ['127.0.0.1', '::1']) {
      const server = createServer((socket) => {
        this.connections += 1;
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'));
      });
      await new Promise<void>((resolve) => server.listen(this.port, host, resolve));
      this.port = (server.address() as { port: number }).port;
      this.servers.push(server);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

describe('the corpus', () => {
  it('has at least 150 refused and 30 public vectors, all different', () => {
    expect(new Set(REFUSED_URLS).size).toBeGreaterThanOrEqual(150);
    expect(new Set(PUBLIC_URLS).size).toBeGreaterThanOrEqual(30);
  });
});

describe('isPublicAddress', () => {
  it.each(PUBLIC_ADDRESSES)('%s is public', (ip) => expect(isPublicAddress(ip)).toBe(true));

  it.each([...PRIVATE_IPV4, ...PRIVATE_IPV6])('%s is not public', (ip) =>
    expect(isPublicAddress(ip)).toBe(false),
  );

  it.each([
    '',
    'example.com',
    '8.8.8',
    '134744072',
    '0x8.8.8.8',
    '08.8.8.8',
    '8.8.8.8.',
    '8.8.8.8/32',
    ' 8.8.8.8',
  ])('%j is no address in canonical spelling', (ip) => expect(isPublicAddress(ip)).toBe(false));

  it.each(['2606:4700:4700::1111%eth0', 'fe80::1%eth0', '::ffff:8.8.8.8%1'])('%s has a zone', (ip) =>
    expect(isPublicAddress(ip)).toBe(false),
  );
});

describe('checkTargetUrl', () => {
  it.each(REFUSED_URLS)('refuses %j', (url) => {
    expect(() => checkTargetUrl(url, { allowPrivate: false })).toThrow(TargetRefused);
  });

  it.each(PUBLIC_URLS)('lets %j pass', (url) => {
    expect(checkTargetUrl(url, { allowPrivate: false }).protocol).toBe('https:');
  });

  it('names the field and the rule, and no address', () => {
    for (const url of REFUSED_URLS) {
      expect(() => checkTargetUrl(url, { allowPrivate: false })).toThrow(/^url must (?!.*\d\.\d)/);
    }
  });

  it.each([
    'http://127.0.0.1:81/',
    'https://[::1]:22/',
    'http://localhost:3000/hook',
    'http://receiver:8080/',
    'https://db.internal/',
  ])('lets %s pass when private targets are allowed', (url) =>
    expect(checkTargetUrl(url, { allowPrivate: true }).href).toBe(url),
  );

  it.each([
    'ftp://127.0.0.1/',
    'http://user@127.0.0.1/',
    'http://127.0.0.1:0/',
    'http:///x',
    'http://a b/',
    'https://[::1%25lo]/',
    'x',
  ])('refuses %s even when private targets are allowed', (url) =>
    expect(() => checkTargetUrl(url, { allowPrivate: true })).toThrow(TargetRefused),
  );
});

describe('vettedAddresses and resolveTarget', () => {
  const rules = (...answers: string[]) => ({ allowPrivate: false, lookup: answering(...answers) });
  const url = 'https://hooks.example.com/';

  it.each([...PRIVATE_IPV4, ...PRIVATE_IPV6])(
    'refuse a name that leads to %s, alone or among public answers',
    async (ip) => {
      for (const answers of [[ip], ['8.8.8.8', ip], [ip, '8.8.8.8'], ['2606:4700::1111', '8.8.8.8', ip]]) {
        await expect(vettedAddresses('hooks.example.com', rules(...answers))).rejects.toThrow(TargetRefused);
        const refusal = await resolveTarget(url, rules(...answers)).catch((error: Error) => error);
        expect(refusal).toBeInstanceOf(TargetRefused);
        expect((refusal as Error).message).toBe('url must point to a public host');
      }
    },
  );

  it('accept a name whose answers are all public, and give them in their order', async () => {
    const answers = await vettedAddresses('hooks.example.com', rules('8.8.8.8', '2606:4700::1111'));
    expect(answers.map(({ address }) => address)).toEqual(['8.8.8.8', '2606:4700::1111']);
    expect((await resolveTarget(url, rules('8.8.8.8'))).href).toBe(url);
  });

  it('understand a lookup that answers with a single address', async () => {
    const single =
      (ip: string): LookupFunction =>
      (_hostname, _options, callback) =>
        callback(null, ip, 4);
    expect(
      await vettedAddresses('a.example', { allowPrivate: false, lookup: single('8.8.8.8') }),
    ).toHaveLength(1);
    await expect(
      vettedAddresses('a.example', { allowPrivate: false, lookup: single('10.0.0.1') }),
    ).rejects.toThrow(TargetRefused);
  });

  it('let a name pass on saving that does not resolve, or not in time', async () => {
    const failing: LookupFunction = (_hostname, _options, callback) => callback(new Error('ENOTFOUND'), []);
    const silent: LookupFunction = () => undefined;
    expect((await resolveTarget(url, { allowPrivate: false, lookup: failing })).href).toBe(url);
    expect((await resolveTarget(url, { allowPrivate: false, lookup: silent, patienceMs: 50 })).href).toBe(
      url,
    );
    await expect(vettedAddresses('a.example', { allowPrivate: false, lookup: failing })).rejects.toThrow(
      'could not be resolved',
    );
  });

  it('ask no name server for a name that leads nowhere by its standard', async () => {
    let asked = 0;
    const lookup: LookupFunction = (_host, _options, done) => {
      asked++;
      done(null, [{ address: '8.8.8.8', family: 4 }]);
    };
    for (const host of ['invalid', 'hooks.invalid', 'a.b.INVALID', 'hooks.invalid.']) {
      for (const allowPrivate of [true, false])
        await expect(vettedAddresses(host, { allowPrivate, lookup })).rejects.toThrow(
          'could not be resolved',
        );
    }
    expect(asked).toBe(0);
    await vettedAddresses('invalid.example', { allowPrivate: false, lookup });
    await vettedAddresses('notinvalid', { allowPrivate: false, lookup });
    expect(asked).toBe(2);
  });

  it('apply the rules for URLs first', async () => {
    await expect(resolveTarget('http://hooks.example.com/', rules('8.8.8.8'))).rejects.toThrow(
      'url must start with https://',
    );
  });

  it('know the hosts file when private targets are allowed', async () => {
    const addresses = await vettedAddresses('localhost', { allowPrivate: true });
    expect(addresses.map(({ address }) => address)).toContain('127.0.0.1');
  });
});

describe('a canary on loopback', () => {
  const canary = new Canary();
  const atCanary = (url: string) => url.replaceAll(String(PORT), String(canary.port));
  const post = (client: WebhookClient, url: string) => client.post(atCanary(url), {}, Buffer.from('{}'));

  beforeAll(() => canary.start());
  beforeEach(() => (canary.connections = 0));
  afterAll(() => canary.stop());

  it('hears of every spelling of loopback when private targets are allowed', async () => {
    const client = new WebhookClient({ allowPrivate: true, timeoutMs: 5000 });
    const hosts = [...LOOPBACK_SPELLINGS, '[::1]', '[::ffff:127.0.0.1]', 'localhost'];
    for (const host of hosts)
      expect(await post(client, `http://${host}:${PORT}/`)).toMatchObject({ statusCode: 204 });
    await client.close();
    expect(canary.connections).toBe(hosts.length);
  });

  it('hears of no refused URL, with https or http, even if its name leads there', async () => {
    const client = new WebhookClient({
      allowPrivate: false,
      timeoutMs: TIMEOUT_MS,
      lookup: answering('127.0.0.1'),
    });
    for (const url of REFUSED_URLS.flatMap((refused) => [refused, refused.replace(/^https:/, 'http:')])) {
      const result = await post(client, url);
      expect(result).toMatchObject({
        ok: false,
        statusCode: null,
        error: 'destination address is not allowed',
        responseBody: null,
      });
    }
    await client.close();
    expect(canary.connections).toBe(0);
  });

  it('hears of no name that leads to a private address, alone or among public ones', async () => {
    for (const ip of [...PRIVATE_IPV4, ...PRIVATE_IPV6]) {
      const client = new WebhookClient({
        allowPrivate: false,
        timeoutMs: TIMEOUT_MS,
        lookup: answering('8.8.8.8', ip),
      });
      expect((await post(client, `https://hooks.example.com:${PORT}/`)).error).toBe(
        'destination address is not allowed',
      );
      await client.close();
    }
    expect(canary.connections).toBe(0);
  });
});
