import { PictureTraffic } from '../../../src/doors/pictures/picture-traffic.js';
import { Caps, CAPS } from '../../../src/platform/caps/caps.js';
import { Drain } from '../../../src/platform/http/drain.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { PICTURE_COLUMNS } from '../../../src/stores/pictures/picture-columns.js';
import { Pictures } from '../../../src/stores/pictures/pictures.service.js';
import { eventually } from '../../support/eventually.js';
import { TestApp, TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const DAY_MS = 24 * 3_600_000;

describe('pictures that the database keeps', () => {
  const clock = new TestClock();
  let store: TestStore;
  let owner: StorePage;

  const app = useShop({ clock });
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  const upload = async (bytes: Buffer = PNG, page = owner, more: Record<string, string> = {}) => {
    const headers = { 'Content-Type': 'image/png', ...more };
    const init = { method: 'POST', headers, body: new Uint8Array(bytes) };
    const response = await page.browser.open(`stores/${page.storeId}/uploads`, init);
    return (await response.json()) as { ok: boolean; data: { url: string }; error?: { message: string } };
  };
  const urlOf = async (bytes?: Buffer) => (await upload(bytes)).data.url;
  /** The address below the service of the test, whose port is not that of BASE_URL. */
  const here = (url: string) => app.url + new URL(url).pathname;
  const read = async (url: string, init?: RequestInit) => {
    const response = await fetch(here(url), init);
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };
  const daysLater = async (days: number) => {
    clock.advance(days * DAY_MS);
    await app.nest.get(Pictures).deleteUnused();
  };

  it('are read by everybody, whole and for ever, and run nothing', async () => {
    const bytes = Buffer.concat([PNG, Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))]);
    const url = await urlOf(bytes);
    expect(url).toMatch(new RegExp(`/pictures/${store.id}/[0-9a-f-]{36}\\.png$`));
    const whole = await read(url);
    expect(whole.status).toBe(200);
    expect(whole.bytes.equals(bytes)).toBe(true);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const kept = { 'If-None-Match': whole.headers.get('etag')!, 'Cache-Control': 'max-age=0' };
    const again = await read(url, { headers: kept });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const head = await read(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  it('have smaller ones beside them, which are read, counted and deleted with them', async () => {
    const [small, medium] = [WEBP, Buffer.concat([WEBP, Buffer.alloc(100_000, 7)])];
    const sizes = { 'Picture-Sizes': `320=${small.length}, 640=${medium.length}` };
    const {
      data: { url },
    } = await upload(Buffer.concat([PNG, small, medium]), owner, sizes);
    expect(url).toMatch(new RegExp(`/pictures/${store.id}/[0-9a-f-]{36}/original\\.png$`));
    expect((await read(url)).bytes.equals(PNG)).toBe(true);
    const beside = (name: string) => read(url.replace(/[^/]+$/, name));
    for (const [width, bytes] of [
      ['320', small],
      ['640', medium],
    ] as const) {
      const answer = await beside(width);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.bytes.equals(bytes)).toBe(true);
    }
    expect([(await beside('480')).status, (await beside('original')).status]).toEqual([404, 200]);
    const product = { productId: 'mug', title: 'Mug', description: '', price: 5, images: [url] };
    const { id } = await store.data('create_product', product);
    await store.data('delete_product', { id, confirm: true });
    await daysLater(1);
    await daysLater(32);
    expect([(await read(url)).status, (await beside('320')).status]).toEqual([404, 404]);
    expect(await app.query(`select from picture_sizes where store_id = '${store.id}'`)).toEqual([]);
  });

  it('are refused with smaller ones that do not fit what is said of them', async () => {
    const pictures = app.nest.get(Pictures);
    const { mostBytes } = pictures;
    const both = Buffer.concat([PNG, WEBP, WEBP]);
    const said = (small: number, medium = WEBP.length) => ({
      'Picture-Sizes': `320=${small}, 640=${medium}`,
    });
    for (const [bytes, headers] of [
      [both, { 'Picture-Sizes': 'small' }],
      [both, said(0)],
      [both, said(WEBP.length + 1)],
      [both, said(both.length)],
      [both, said(WEBP.length, 2_000_000)],
      [Buffer.concat([PNG, WEBP, Buffer.from('text')]), said(WEBP.length, 4)],
    ] as const)
      expect(await upload(bytes, owner, headers)).toMatchObject({
        ok: false,
        error: { code: 'invalid_input' },
      });
    pictures.mostBytes = both.length - 1;
    try {
      expect((await upload(both, owner, said(WEBP.length))).ok).toBe(false);
      pictures.mostBytes++;
      expect((await upload(both, owner, said(WEBP.length))).ok).toBe(true);
      expect((await upload()).ok).toBe(false);
    } finally {
      pictures.mostBytes = mostBytes;
    }
  });

  it('stand beside products and what was ordered, of their own store only', async () => {
    const [one, two] = [await urlOf(), await urlOf()];
    const product = (productId: string, images: string[]) =>
      store.data('create_product', { productId, title: productId, description: '', price: 5, images });
    const mug = await product('mug', [one, two]);
    const pot = await product('pot, blue', [two]);
    const pictureOf = ({ id, productId }: Record<string, unknown>, url: string) => ({ id, productId, url });
    const of = async (path: string, page = owner) => (await page.data('GET', path)).items as object[];
    const ids = `ids=${mug.id},${pot.id},${store.id},x`;
    expect(await of(`products/pictures?${ids}`)).toEqual(
      expect.arrayContaining([pictureOf(mug, one), pictureOf(pot, two)]),
    );
    const { id } = await store.place({ items: [{ productId: 'pot, blue', quantity: 1 }] }, { id: '1' });
    const other = await store.place({ items: [{ productId: 'mug', quantity: 1 }] }, { id: '1' });
    expect(await of(`orders/pictures?orderIds=${id}`)).toEqual([pictureOf(pot, two)]);
    expect(await of(`orders/pictures?orderIds=${id},${other.id}`)).toHaveLength(2);
    const stranger = await StorePage.ofOwner(await app.store());
    expect(await of(`products/pictures?${ids}`, stranger)).toEqual([]);
    expect(await of(`orders/pictures?orderIds=${id}`, stranger)).toEqual([]);
    expect(await owner.send('GET', 'orders/pictures?orderIds=x')).toMatchObject(refusal(404, 'not_found'));
    expect(await owner.send('GET', 'products/pictures')).toMatchObject(refusal(400, 'invalid_input'));
  });

  it('are found under their own store only', async () => {
    const url = await urlOf();
    const other = await app.store();
    for (const wrong of [
      url.replace(store.id, other.id),
      url.replace(/[^/]+$/, `${store.id}.png`),
      url.replace(/[^/]+$/, 'x.png'),
      url.replace(store.id, 'x'),
    ]) {
      const { status, bytes } = await read(wrong);
      expect({ status, body: JSON.parse(bytes.toString()) }).toMatchObject(refusal(404, 'not_found'));
    }
  });

  it('take no more than a store may have, and leave the others theirs', async () => {
    const pictures = app.nest.get(Pictures);
    const { mostBytes } = pictures;
    pictures.mostBytes = 2 * PNG.length;
    try {
      const answers = await Promise.all([upload(), upload(), upload()]);
      const refused = answers.filter(({ ok }) => !ok);
      const error = { code: 'invalid_input', message: expect.any(String) };
      const values = { mebibytes: expect.any(Number) };
      expect(refused).toEqual([{ ok: false, error: { ...error, problem: 'pictures_most', values } }]);
      expect((await owner.data('GET', 'audit')).items).toHaveLength(2);
      expect((await upload(PNG, await StorePage.ofOwner(await app.store()))).ok).toBe(true);
    } finally {
      pictures.mostBytes = mostBytes;
    }
  });

  it('are deleted when nothing has used them for 31 days, when no undo can bring them back', async () => {
    const [used, unused, again] = [await urlOf(), await urlOf(), await urlOf()];
    const product = await store.data('create_product', {
      ...{ productId: 'mug', title: 'Mug', description: `See ${again}`, price: 5 },
      images: ['https://images.example/1.jpg', used],
    });
    await daysLater(1);
    await store.data('update_product', { id: product.id, description: '' });
    await daysLater(29);
    const statuses = async () =>
      Promise.all([used, unused, again].map(async (url) => (await read(url)).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await store.data('update_product', { id: product.id, description: again });
    await daysLater(3);
    expect(await statuses()).toEqual([200, 404, 200]);
    await store.data('update_product', {
      id: product.id,
      images: ['https://images.example/1.jpg'],
    });
    await daysLater(1);
    await daysLater(30);
    expect(await statuses()).toEqual([200, 404, 200]);
    await daysLater(2);
    expect(await statuses()).toEqual([404, 404, 200]);
  });

  it('are sent to one address up to 100 MB a minute, and told without being sent', async () => {
    const own = await TestApp.start({ clock });
    try {
      const url = own.url + new URL(await urlOf()).pathname;
      own.nest.get(PictureTraffic).spend({ address: '127.0.0.1', setHeader: () => undefined }, 100_000_000);
      const refused = await fetch(url);
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(await refused.json()).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
      expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    } finally {
      await own.stop();
    }
  });

  it('are no failure of the service when their reader leaves before they are sent', async () => {
    const lines: string[] = [];
    const write = (_: unknown, text: string) => void lines.push(text);
    const log = Object.assign(createLogger('silent'), { info: write, warn: write, error: write });
    log.child = (() => log) as never;
    const own = await TestApp.start({ clock, log });
    try {
      const caps = own.nest.get(Caps);
      const { perNetwork } = CAPS.pictures;
      const places = Array.from({ length: perNetwork }, () =>
        caps.take('pictures', { address: '127.0.0.1' }),
      );
      const { pathname } = new URL(await urlOf());
      const reader = new AbortController();
      const read = fetch(own.url + pathname, { signal: reader.signal }).catch(() => undefined);
      const drain = own.nest.get(Drain);
      await eventually('it waits for a place', () => drain.requests === 1);
      reader.abort();
      await read;
      await eventually('it has left', () => drain.requests === 0);
      for (const free of places) free();
      await eventually('it is told', () => lines.includes('a picture was broken off'));
      expect(lines).not.toContain('a call failed');
    } finally {
      await own.stop();
    }
  });

  it('that do not exist are asked for only so often, and refused before they are looked for', async () => {
    const small = await TestApp.start({ clock, env: { RATE_LIMIT_BAD_TOKENS: '3' } });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await fetch(`${small.url}/pictures/${store.id}/${crypto.randomUUID()}.png`);
      statuses.push(status);
      expect(String(headers.get('cache-control'))).not.toMatch(/immutable/);
    }
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
    await small.stop();
  });

  it('are looked for in every column that holds the address of a picture', async () => {
    const columns = await app.query<{ table: string; column: string }>(
      `select c.table_name::text as table, c.column_name::text as column from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE'
         and column_name ~ 'image|logo_url|picture|photo'
         -- What the messenger said of a picture.
         and column_name <> 'picture_refused'`,
    );
    expect(columns.length).toBeGreaterThan(0);
    for (const { table, column } of columns)
      expect(PICTURE_COLUMNS).toContainEqual(expect.objectContaining({ table, column }));
  });
});
