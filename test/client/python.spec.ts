import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { LongPoll } from '../../src/groups/events/long-poll.service.js';
import { newSecret, webhookHeaders } from '../../src/webhooks/delivery/signature.js';
import { readFeed } from '../groups/feeds/read-feed.js';
import { eventually } from '../support/eventually.js';
import { type TestStore, useShop } from '../support/test-app.js';
import { FlakyWay } from './flaky-way.js';

const ROOT = path.resolve(__dirname, '../..');
const LIMIT = 30;
/** The oldest Python that the client works with. */
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
if (!hasPython) console.warn('python3 is not installed: the tests of the Python client are left out');

(hasPython ? describe : describe.skip)('the client for Python', () => {
  let store: TestStore;
  let way: FlakyWay;

  const app = useShop({ env: { RATE_LIMIT_WRITE: `${LIMIT}` } });
  beforeEach(async () => {
    store = await app.store();
    way = await FlakyWay.to(app.url);
  });
  afterEach(() => way.stop());

  /** Runs a part of the program beside this file. @returns what it came to */
  const run = async (part: string, more: NodeJS.ProcessEnv = {}): Promise<unknown> => {
    const env = {
      ...process.env,
      PYTHONPATH: path.join(ROOT, 'packages/client-python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      SHOP_URL: way.url,
      SHOP_TOKEN: store.tokens.write,
      ...more,
    };
    const file = path.join(__dirname, 'python-client.py');
    const { stdout } = await promisify(execFile)('python3', [file, part], { env });
    return JSON.parse(stdout);
  };

  it('has types that all resolve', async () => {
    expect(await run('types')).toBeGreaterThan(100);
  });

  it('calls operations by group and by name, with keys, versions and refusals', async () => {
    expect(await run('calls')).toEqual({
      same: true,
      name: 'New',
      stale: ['Refusal', 'precondition_failed'],
      missing: ['Refusal', 'not_found'],
      unchanged: true,
    });
  });

  it('reports mistakes at once, and a service that cannot be reached', async () => {
    expect(await run('mistakes')).toEqual([
      ['ValueError', expect.stringContaining('base_url')],
      ['ValueError', expect.stringContaining('token')],
      ['ValueError', expect.stringContaining('idempotency_key')],
      ['ValueError', expect.stringContaining('list_events')],
      'NoAnswer',
    ]);
  });

  it('makes a change once, even if its answer is lost, and goes through the records of a list', async () => {
    for (const slug of ['a', 'b']) await store.data('create_brand', { name: slug, slug });
    way.next('lost after', 'lost before', { status: 503, body: 'no such host' });
    expect(await run('repeats')).toEqual(['brand-001', 'b', 'a']);
    const changes = way.passed.filter((request) => request.path === '/v1/create_brand');
    expect(changes).toHaveLength(4);
    expect(new Set(changes.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('does not take its token to the address of a redirect', async () => {
    way.next({ status: 307, headers: { Location: `${app.url}/v1/list_brands` }, body: '' });
    expect(await run('redirect')).toEqual(['NoAnswer', expect.stringContaining('HTTP 307')]);
    expect(way.passed).toHaveLength(1);
  });

  it('sends the calls of many threads as the budget allows', async () => {
    expect(await run('burst', { BURST: `${LIMIT + 3}` })).toEqual({ made: LIMIT, refused: 3 });
    expect(way.passed).toHaveLength(LIMIT + 3);
  });

  it('waits anew when a call got through, though other programs took the rest', async () => {
    const body = JSON.stringify({ ok: false, error: { code: 'rate_limited', message: 'try again' } });
    // It pauses twice, which is longer than it may wait. What is between, and seconds long, is for the calls.
    const taken = { status: 429, headers: { 'Retry-After': '6' }, body };
    way.next({ ...taken, withNext: true }, taken, 'none', taken);
    expect(await run('shared', { MAX_WAIT: '11' })).toEqual([null, null]);
  });

  it('reads the feeds, each entry once', async () => {
    const { productId } = await store.product();
    const orders = [];
    for (let i = 0; i < 3; i++)
      orders.push((await store.place({ items: [{ productId, quantity: 1 }] })).id as number);
    const { id } = await store.data('create_brand', { name: 'a', slug: 'a' });
    await store.feed();
    await readFeed((input) => store.data('list_changes', { kinds: ['brand'], ...input }), 1);
    expect(await run('feeds')).toEqual({ orders, brands: [id], new: [] });
  });

  it('follows the feeds, and does not take the holding of an answer for a time-out', async () => {
    const polls = app.nest.get(LongPoll);
    const following = run('follow');
    await eventually('both feeds are followed', () => polls.waiting === 2);
    const { productId } = await store.product();
    const { id } = await store.place({ items: [{ productId, quantity: 1 }] });
    expect(await following).toEqual({ order: id, change: ['customer', 'created'], held: [] });
  });

  it('takes a webhook that is signed, and no other', async () => {
    const [secret, previousSecret] = [newSecret(), newSecret()];
    const body = JSON.stringify({ id: 'd-1', event: 'order.created', createdAt: 'now', data: { id: 7 } });
    const signed = { event: 'order.created', deliveryId: 'd-1', body: Buffer.from(body), at: new Date() };
    const headers = webhookHeaders({ ...signed, secret, previousSecret });
    const webhook = { body, headers, secret, old: previousSecret };
    expect(await run('webhook', { WEBHOOK: JSON.stringify(webhook) })).toEqual({
      orders: [7, 7, 7],
      refused: [
        ['InvalidWebhook', expect.stringContaining('not the signature')],
        ['InvalidWebhook', expect.stringContaining('not the signature')],
        ['InvalidWebhook', expect.stringContaining('not the signature')],
        ['InvalidWebhook', expect.stringContaining('missing')],
        ['ValueError', 'secret must not be empty'],
      ],
    });
  });
});
