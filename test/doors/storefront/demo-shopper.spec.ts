import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SystemClock } from '../../../src/platform/clock.js';
import { type Config, loadConfig } from '../../../src/platform/config/config.js';
import { keepDemoStore } from '../../../src/platform/config/demo-store.js';
import { DemoShopper } from '../../../src/groups/bot/demo-shopper.service.js';
import { verifyInitData } from '../../../src/doors/storefront/shopper/init-data.js';

const STORE = '01980a52-6c1e-7b3a-9d2f-4c8e1a7b9d30';

describe('the demo shopper', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'demo-shopper-'));
  beforeAll(() =>
    keepDemoStore(dataDir, {
      storeId: STORE,
      shopper: { id: '9007199254740993', firstName: 'Olena', username: 'olena_k' },
    }),
  );
  afterAll(() => rmSync(dataDir, { recursive: true }));

  const clock = new SystemClock();
  const shopperOf = (env: Record<string, string> = {}): DemoShopper => {
    const config: Config = loadConfig({ DATA_DIR: dataDir, ...env });
    return new DemoShopper(config, clock);
  };
  const request = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    ({ headers: { host: 'localhost:3000', ...headers }, socket: { remoteAddress } }) as never;

  it('is signed by the process, with every digit of its id', () => {
    const demo = shopperOf();
    const initData = demo.initData(STORE, request())!;
    const token = demo.tokenFor(STORE, request())!;
    expect(verifyInitData(initData, token, clock.now())?.shopper).toMatchObject({
      id: '9007199254740993',
      username: 'olena_k',
    });
    const another = shopperOf().tokenFor(STORE, request())!;
    expect(verifyInitData(initData, another, clock.now())).toBeNull();
  });

  it.each([
    ['::1', 'localhost'],
    ['::ffff:127.0.0.1', '127.0.0.1:3000'],
    ['127.0.0.1', '[::1]:3000'],
  ])('is there for %s, which asks for %s', (address, host) => {
    expect(shopperOf().initData(STORE, request({ host }, address))).not.toBeNull();
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['another host', { host: 'evil.example' }, undefined],
    ['a host that begins alike', { host: 'localhost.evil.example' }, undefined],
    ['another machine', {}, '192.0.2.7'],
    ['a proxy', { 'x-forwarded-for': '127.0.0.1' }, undefined],
    ['a tunnel', { forwarded: 'for=192.0.2.7' }, undefined],
    ['a gateway', { via: '1.1 gateway' }, undefined],
  ])('is not there for %s', (_, headers, address) => {
    const demo = shopperOf();
    expect(demo.initData(STORE, request(headers, address))).toBeNull();
    expect(demo.tokenFor(STORE, request(headers, address))).toBeNull();
  });

  it.each<Record<string, string>>([
    { BASE_URL: 'https://shop.example' },
    { DATABASE_URL: 'postgres://shop@db.example/shop', ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') },
    { NODE_ENV: 'production' },
  ])('is not there with %j, nor for another store', (env) => {
    expect(shopperOf(env).initData(STORE, request())).toBeNull();
    expect(shopperOf().initData(STORE.replace('0198', '0199'), request())).toBeNull();
  });
});
