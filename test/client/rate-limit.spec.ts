import { createClient, type Client, type Refusal } from '../../packages/client/src/client.js';
import { type TestStore, useShop } from '../support/test-app.js';
import { FlakyWay } from './flaky-way.js';

const LIMIT = 40;

describe('the client and its rate limit', () => {
  let store: TestStore;
  let way: FlakyWay;
  let client: Client;

  const app = useShop({ env: { RATE_LIMIT_WRITE: `${LIMIT}` } });
  beforeEach(async () => {
    store = await app.store();
    way = await FlakyWay.to(app.url);
    client = createClient({ baseUrl: way.url, token: store.tokens.write, maxWaitMs: 300 });
  });
  afterEach(() => way.stop());

  const brand = (i: number) => ({ name: `Brand ${i}`, slug: `brand-${i}` });

  it('sends a burst as the budget allows, and asks for no more than there is', async () => {
    const calls = Array.from({ length: LIMIT + 2 }, (_, i) => client.brands.create(brand(i)));
    const ended = await Promise.allSettled(calls);
    // What is left waits as long as it may, and is then sent, so that the service says why it is refused.
    const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as Refusal] : []));
    expect(refused.map(({ code }) => code)).toEqual(['rate_limited', 'rate_limited']);
    expect(way.passed).toHaveLength(LIMIT + 2);
  });

  it('waits as long as an answer says, and loses none', async () => {
    const patient = createClient({ baseUrl: way.url, token: store.tokens.write, maxWaitMs: 10_000 });
    const body = JSON.stringify({ ok: false, error: { code: 'rate_limited', message: 'try again' } });
    await patient.brands.create(brand(100));
    way.next(...Array.from({ length: 3 }, () => ({ status: 429, headers: { 'Retry-After': '1' }, body })));
    const made: number[] = [];
    const make = async (i: number) => {
      await patient.brands.create(brand(i));
      made.push(i);
    };
    await Promise.all(Array.from({ length: 20 }, (_, i) => make(i)));
    expect(made).toHaveLength(20);
    expect((await store.data('list_brands', { take: 100 })).items).toHaveLength(21);
  });

  it('waits anew when a call got through, though other programs took the rest', async () => {
    const one = createClient({ baseUrl: way.url, token: store.tokens.write, maxWaitMs: 11_000 });
    const body = JSON.stringify({ ok: false, error: { code: 'rate_limited', message: 'try again' } });
    // It pauses twice, which is longer than it may wait. What is between, and seconds long, is for the calls.
    const taken = { status: 429, headers: { 'Retry-After': '6' }, body };
    way.next({ ...taken, withNext: true }, taken, 'none', taken);
    await Promise.all([one.brands.create(brand(0)), one.brands.create(brand(1))]);
    expect(way.passed).toHaveLength(5);
  });

  it('gives back what was counted for calls that got no answer', async () => {
    await client.brands.create(brand(0));
    way.next(...Array.from({ length: LIMIT }, () => 'lost before' as const));
    const calls = Array.from({ length: 20 }, (_, i) => client.brands.create(brand(i + 1)));
    const ended = await Promise.allSettled(calls);
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('lets reads pass while changes wait', async () => {
    await Promise.all(Array.from({ length: LIMIT }, (_, i) => client.brands.create(brand(i))));
    const waiting = client.brands.create(brand(LIMIT)).catch((error: Error) => error.name);
    expect((await client.brands.list({ take: 100 })).items).toHaveLength(LIMIT);
    expect(await waiting).toBe('Refusal');
  });

  it('takes a call out of the queue when its signal is aborted', async () => {
    await Promise.all(Array.from({ length: LIMIT }, (_, i) => client.brands.create(brand(i))));
    const controller = new AbortController();
    const call = client.brands.create(brand(LIMIT), { signal: controller.signal });
    const { length } = way.passed;
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(way.passed).toHaveLength(length);
  });
});

describe('an option that cannot be used', () => {
  const good = { baseUrl: 'https://shop.example', token: 'shop_live_x' };

  it.each([
    ['baseUrl', { ...good, baseUrl: 'localhost:3000' }],
    ['token', { ...good, token: undefined as unknown as string }],
    ['token', { ...good, token: 'two words' }],
    ['retries', { ...good, retries: Number.NaN }],
    ['timeoutMs', { ...good, timeoutMs: -1 }],
  ])('%s is refused by name when the client is made', (name, options) => {
    expect(() => createClient(options)).toThrow(TypeError);
    expect(() => createClient(options)).toThrow(name);
  });

  it.each([
    ['idempotencyKey', 'посилка-4711'],
    ['idempotencyKey', ''],
    ['requestId', 'a\nb'],
    ['ifMatch', 'ї'],
  ])('%s of a call is refused by name, and nothing is sent', async (name, value) => {
    let sent = 0;
    const fetch = () => {
      sent++;
      return Promise.reject(new Error('no network'));
    };
    const client = createClient({ ...good, fetch });
    const call = client.brands.create({ name: 'Acme', slug: 'acme' }, { [name]: value });
    await expect(call).rejects.toThrow(new RegExp(`^${name} must be`));
    expect(sent).toBe(0);
  });
});
