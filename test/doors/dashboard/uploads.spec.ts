import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { ConfigurationError, loadConfig } from '../../../src/platform/config/config.js';
import { TestApp, type TestStore } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

/** The smallest picture of each type, and what they are called. */
const PICTURES: Record<string, Buffer> = {
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'image/gif': Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 0xff, 0xd9]),
  'image/webp': Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
};
const MAX = 5 * 1024 * 1024;

describe('uploads', () => {
  let folder: string;
  let s3: S3rver;
  let app: TestApp;
  let store: TestStore;
  let owner: StorePage;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
    s3 = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'pictures', configs: [] }],
    });
    const { port } = await s3.run();
    const endpoint = `http://127.0.0.1:${port}`;
    env = {
      UPLOADS_S3_ENDPOINT: `${endpoint}/`,
      UPLOADS_S3_REGION: 'us-east-1',
      UPLOADS_S3_BUCKET: 'pictures',
      UPLOADS_S3_ACCESS_KEY_ID: 'S3RVER',
      UPLOADS_S3_SECRET_ACCESS_KEY: 'S3RVER',
      UPLOADS_PUBLIC_URL: `${endpoint}/pictures`,
    };
    app = await TestApp.start({ env });
  });
  afterAll(async () => {
    await app.stop();
    await s3.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  const send = async (page: StorePage, body: Buffer, type: string, more: Record<string, string> = {}) => {
    const headers = { 'Content-Type': type, ...more };
    const init = { method: 'POST', headers, body: new Uint8Array(body) };
    const response = await page.browser.open(`stores/${page.storeId}/uploads`, init);
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };

  it.each(Object.keys(PICTURES))('store a picture of %s where everybody can read it', async (type) => {
    const { status, body } = await send(owner, PICTURES[type], type);
    expect([status, body]).toEqual([200, { ok: true, data: { url: expect.any(String) } }]);
    const extension = type === 'image/jpeg' ? 'jpg' : type.slice(6);
    expect(body.data.url).toMatch(
      new RegExp(`^${env.UPLOADS_PUBLIC_URL}/${store.id}/[0-9a-f-]{36}\\.${extension}$`),
    );
    const read = await fetch(body.data.url);
    expect([read.status, read.headers.get('content-type')]).toEqual([200, type]);
    expect(Buffer.from(await read.arrayBuffer()).equals(PICTURES[type])).toBe(true);
    const { items } = await owner.data('GET', 'audit?operation=upload.create');
    expect(items).toMatchObject([
      { targetKind: 'upload', changes: { url: [null, body.data.url] }, transport: 'dashboard' },
    ]);
  });

  it('store smaller ones beside a picture, for ever', async () => {
    const [picture, small] = [PICTURES['image/png'], PICTURES['image/webp']];
    const sizes = { 'Picture-Sizes': `320=${small.length}, 640=${small.length}` };
    const { body } = await send(owner, Buffer.concat([picture, small, small]), 'image/png', sizes);
    const { url } = body.data as { url: string };
    expect(url).toMatch(new RegExp(`^${env.UPLOADS_PUBLIC_URL}/${store.id}/[0-9a-f-]{36}/original\\.png$`));
    for (const name of ['320', '640']) {
      const read = await fetch(url.replace('original.png', name));
      expect([read.status, read.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(Buffer.from(await read.arrayBuffer()).equals(small)).toBe(true);
    }
  });

  it('are announced by GET stores', async () => {
    expect((await owner.browser.get('stores')).body.data.items).toMatchObject([{ uploads: true }]);
  });

  it('accept the largest picture unchanged, and nothing larger, however its length is declared', async () => {
    const largest = Buffer.concat([
      PICTURES['image/png'],
      Buffer.alloc(MAX - PICTURES['image/png'].length, 7),
    ]);
    const { body } = await send(owner, largest, 'image/png');
    const read = Buffer.from(await (await fetch(body.data.url)).arrayBuffer());
    expect(createHash('sha256').update(read).digest('hex')).toBe(
      createHash('sha256').update(largest).digest('hex'),
    );
    const larger = await send(owner, Buffer.concat([largest, Buffer.alloc(1)]), 'image/png');
    expect(larger).toMatchObject(refusal(400, 'invalid_input'));
    expect(larger.body.error.message).toBe('The file must not be larger than 5 MiB');
    expect(await chunked(owner, Buffer.concat([largest, Buffer.alloc(100_000)]))).toMatch(
      /^HTTP\/1.1 400 [^]*larger than 5 MiB/,
    );
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a sound in the same container as WebP', Buffer.from('RIFF\x1a\x00\x00\x00WAVEfmt ')],
    ['half a mark', PICTURES['image/png'].subarray(0, 7)],
    ['nothing', Buffer.alloc(0)],
  ])('refuse %s, whatever its declared type', async (_, bytes) => {
    const answer = await send(owner, bytes, 'image/png');
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error.message).toBe('The file must be a PNG, JPEG, WebP or GIF picture');
  });

  it('are named after their actual type', async () => {
    const { body } = await send(owner, PICTURES['image/gif'], 'image/png; name=evil.svg');
    expect(body.data.url).toMatch(/\.gif$/);
    expect((await fetch(body.data.url)).headers.get('content-type')).toBe('image/gif');
  });

  it.each([
    ['image/svg+xml', 403],
    ['text/plain', 403],
    ['multipart/form-data; boundary=x', 403],
    ['application/json', 400],
  ])('accept no body of type %s', async (type, status) => {
    expect((await send(owner, PICTURES['image/png'], type)).status).toBe(status);
  });

  it('accept no pictures from other sites', async () => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'image/png', Origin: 'https://evil.example' },
      body: new Uint8Array(PICTURES['image/png']),
    };
    expect((await owner.browser.open(`stores/${store.id}/uploads`, init)).status).toBe(403);
  });

  it('are only for members, and count as a write', async () => {
    const stranger = await StorePage.ofOwner(await app.store());
    const foreign = await send(new StorePage(stranger.browser, store.id), PICTURES['image/png'], 'image/png');
    expect(foreign).toMatchObject(refusal(404, 'not_found'));
    const staff = await StorePage.ofStaff(store, owner);
    const { status, headers } = await send(staff, PICTURES['image/png'], 'image/png');
    expect([status, headers.get('ratelimit-limit')]).toEqual([200, '100000']);
  });

  it('leave nothing behind if the bucket refuses them, and do not show its error', async () => {
    const wrong = await TestApp.start({ env: { ...env, UPLOADS_S3_SECRET_ACCESS_KEY: 'wr0ng' } });
    const page = await StorePage.ofOwner(await wrong.store());
    const answer = await send(page, PICTURES['image/png'], 'image/png');
    expect(answer).toMatchObject(refusal(500, 'internal_error'));
    expect(JSON.stringify(answer.body)).not.toMatch(/S3RVER|wr0ng|Signature/);
    expect((await page.data('GET', 'audit')).items).toEqual([]);
    await wrong.stop();
  });

  it('must be configured completely or not at all', () => {
    expect(loadConfig({}).uploads).toBeNull();
    expect(loadConfig(env).uploads).toMatchObject({
      bucket: 'pictures',
      endpoint: env.UPLOADS_S3_ENDPOINT.slice(0, -1),
    });
    const { UPLOADS_S3_BUCKET: _, ...half } = env;
    expect(() => loadConfig(half)).toThrow(ConfigurationError);
    expect(() => loadConfig(half)).toThrow(/^UPLOADS_S3_BUCKET: uploads need all of/);
    expect(() => loadConfig({ ...env, UPLOADS_PUBLIC_URL: 'pictures' })).toThrow(
      /UPLOADS_PUBLIC_URL: must be an absolute/,
    );
  });
});

/** Sends a picture in chunks, so that its length is not known beforehand. @returns the answer as it came */
function chunked({ browser, storeId }: StorePage, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(browser.app.url);
    let answer = '';
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `POST /dashboard/api/stores/${storeId}/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
          `Cookie: ${browser.cookie}\r\n` +
          'Content-Type: image/png\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
      );
      for (let at = 0; at < bytes.length; at += 65_536) {
        const chunk = bytes.subarray(at, at + 65_536);
        socket.write(`${chunk.length.toString(16)}\r\n`);
        socket.write(chunk);
        socket.write('\r\n');
      }
      socket.write('0\r\n\r\n');
    });
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
