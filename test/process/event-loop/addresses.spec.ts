import { Browser } from '../../doors/dashboard/browser.js';
import { BotWebhook, MiniApp } from '../../doors/storefront/mini-app.js';
import { routesOf } from '../../support/routes.js';
import type { TestStore } from '../../support/test-app.js';
import { type Target, WatchedService } from './watched-service.js';

const KIB = 1_024;
/** As much as Node.js takes of all headers, less what a request has anyway. */
const HEADERS = 15 * KIB;
const fill = (text: string, size: number) => text.repeat(Math.floor(size / text.length));
const numbered = (count: number, one: (i: number) => string, between: string) =>
  Array.from({ length: count }, (_, i) => one(i)).join(between);

/** Queries at, and beyond, what is accepted (docs/behaviour.md §1.6). */
const QUERIES: Record<string, string> = {
  'parameters without names': fill('a&', 7 * KIB),
  'parameters with long names': numbered(100, (i) => `${fill('x', 60)}${i}=1`, '&'),
  'nested parameters': numbered(100, (i) => `a[b][c][d][${i}]=1`, '&'),
  'escaped values': numbered(90, (i) => `p${i}=${fill('%D0%96', 60)}`, '&'),
  'escapes that end badly': fill('%', 7 * KIB),
  'a long cursor': `cursor=${fill('A', 7 * KIB)}&take=100`,
  'a long text': `text=${fill('%20a', 7 * KIB)}`,
  'many resources': fill('resource=x&', 1_000),
};

/** Headers that something reads, each as long as it may be. */
const HEADER_SETS: Record<string, Record<string, string>> = {
  cookies: { Cookie: fill('a=1; ', HEADERS) },
  'cookies that are escaped': { Cookie: numbered(100, (i) => `c${i}=${fill('%41', 45)}`, '; ') },
  'a token of many parts': { Authorization: `Bearer ${fill('a.', HEADERS)}` },
  'init data of many parts': { Authorization: `tma ${fill('a=1&', HEADERS)}` },
  'a basic authorization': { Authorization: `Basic ${fill('QUFB', HEADERS)}` },
  'a list of what is accepted': { Accept: fill('a/b;q=0.1,', HEADERS) },
  'a list of languages': { 'Accept-Language': fill('uk;q=0.1,', HEADERS) },
  'a list of encodings': { 'Accept-Encoding': fill('gzip;q=0.1,', HEADERS) },
  'a type with many parameters': { 'Content-Type': `application/json;${fill('a="\\"";', HEADERS)}` },
  'many proxies': { 'X-Forwarded-For': fill('10.0.0.1, ', HEADERS) },
  'a long proxy': { 'X-Forwarded-For': fill('[', HEADERS) },
  'many tags': { 'If-None-Match': fill('"a", ', HEADERS) },
  'a long time': { 'If-Match': `"${fill('1', HEADERS)}"`, 'If-Modified-Since': fill('1', 400) },
  'many ranges': { Range: `bytes=${fill('0-1,', HEADERS)}` },
  'a long key': { 'Idempotency-Key': fill('k', HEADERS) },
  'a long request id': { 'X-Request-Id': fill('r', HEADERS) },
  'a trace': { traceparent: fill('0', 7 * KIB), tracestate: fill('a=1,', 7 * KIB) },
  'as many headers as may be': Object.fromEntries(
    Array.from({ length: 90 }, (_, i) => [`X-${i}`, fill('y', 120)]),
  ),
};

const FORMS: Record<string, string> = {
  'parameters without names': fill('a&', 500 * KIB),
  'a parameter of 1 MiB': `code=${fill('%41', 1_000 * KIB)}`,
  'nested parameters': numbered(100, (i) => `${fill('[a]', 3 * KIB)}${i}=1`, '&'),
  'escapes that end badly': fill('%', 1_000 * KIB),
};

/** docs/behaviour.md §1.6 */
describe('the address, the headers and the form of a request, whatever they contain', () => {
  let watched: WatchedService;
  let store: TestStore;
  /** Whom each door knows, and nobody. */
  let callers: [string, Record<string, string>][];

  beforeAll(async () => {
    watched = await WatchedService.start();
    store = await watched.app.store();
    await BotWebhook.connect(store, watched.messenger);
    const owner = await Browser.signedIn(watched.app, store.ownerEmail);
    callers = [
      ['nobody', {}],
      ['a token', { Authorization: `Bearer ${store.tokens.admin}` }],
      ['an owner', { Cookie: owner.cookie! }],
      ['a shopper', { Authorization: `tma ${new MiniApp(store).initData}` }],
    ];
  });
  afterAll(() => watched.stop());

  const routes = () =>
    routesOf(watched.app, (name) => (name === 'storeId' ? store.id : '1')).filter(
      // What ends the session that the others come with.
      ([method, path]) =>
        !/sign-out|end-others|^\/dashboard\/api\/auth\/sessions/.test(path) || method === 'GET',
    );

  /** The callers that the door of a path can know, and nobody. */
  const callersOf = (path: string) =>
    callers.filter(
      ([who]) =>
        who === 'nobody' ||
        (who === 'an owner' && path.startsWith('/dashboard/')) ||
        (who === 'a shopper' && path.startsWith('/storefront/')) ||
        (who === 'a token' && /^\/(v1|mcp)/.test(path)),
    );

  const target = (method: string, path: string, headers: Record<string, string>, what: string): Target => ({
    name: `${method} ${path.replace(store.id, ':storeId')}`,
    method,
    url: path,
    headers,
    bodies: [[what, undefined]],
  });

  it('do not hold the event loop for more than 50 ms at any route by their address', async () => {
    const targets = routes().flatMap(([method, path]) =>
      callersOf(path).flatMap(([who, headers]) => [
        ...Object.entries(QUERIES).map(([name, query]) => ({
          ...target(method, path, headers, `${who}, ${name}`),
          url: `${path}?${query}`,
        })),
        target(method, `${path}/${fill('%2e/', 7 * KIB)}`, headers, `${who}, a long path`),
      ]),
    );
    expect(targets.length).toBeGreaterThan(1_000);
    expect(await watched.tooLong(targets)).toEqual([]);
  }, 600_000);

  it('do not hold it by their headers', async () => {
    const targets = routes().flatMap(([method, path]) =>
      callersOf(path).flatMap(([who, known]) =>
        Object.entries(HEADER_SETS).map(([name, headers]) => {
          const size = Object.entries({ ...known, ...headers }).join('').length;
          const sent = size > HEADERS ? headers : { ...known, ...headers };
          return target(method, path, sent, `${who}, ${name}`);
        }),
      ),
    );
    expect(targets.length).toBeGreaterThan(2_000);
    expect(await watched.tooLong(targets)).toEqual([]);
  }, 600_000);

  it('do not hold it by a form', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const targets = routes()
      .filter(([method]) => method === 'POST')
      .map(([method, path]): Target => ({
        ...target(method, path, headers, ''),
        bodies: Object.entries(FORMS),
      }));
    expect(await watched.tooLong(targets)).toEqual([]);
  }, 600_000);
});
