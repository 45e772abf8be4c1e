// npm run bench:fairness: one store at its worst, and what a quiet one then waits. Every attack has a bound
// of time, and stays on this machine. FAIRNESS_SCALE makes the large store smaller (1: 90,000 products,
// 60,000 customers, 80,000 orders); FAIRNESS_ATTACKS chooses among the attacks.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { newToken } from '../../dist/src/platform/auth/token.js';
import { seed } from '../seed.mjs';
import { round, startService, stop, withDatabase } from '../service.mjs';
import { makeLarge, PASSWORD } from './seed.mjs';

const SCALE = Number(process.env.FAIRNESS_SCALE ?? 1);
const LARGE = { products: 90_000 * SCALE, customers: 60_000 * SCALE, orders: 80_000 * SCALE };
/**
 * How long each attack lasts, how long the messenger takes for a webhook, and how often the quiet store
 * calls.
 */
const ATTACK_MS = 12_000;
const SLOW_MS = 8_000;
const EVERY_MS = 200;
/** p95 of the quiet store during an attack, as a multiple of idle. */
const GOAL = 6;
const YEAR_MS = 365 * 24 * 3_600_000;

const bot = (token) => ({ id: Number(token.split(':')[0]), is_bot: true, username: 'a_bot' });

/** A messenger that takes long to register a webhook. */
async function slowMessenger() {
  const server = createServer((request, response) => {
    const [, token, method] = /^\/bot([^/]+)\/(\w+)/.exec(request.url);
    const answer = () =>
      response.end(JSON.stringify({ ok: true, result: method === 'getMe' ? bot(token) : true }));
    request.resume().on('end', () => void setTimeout(answer, method === 'setWebhook' ? SLOW_MS : 0));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { server, root: `http://127.0.0.1:${server.address().port}` };
}

/** Calls of one token: the status of each, and how long it took. */
const caller =
  (port, token) =>
  async (operation, input, { headers, signal } = {}) => {
    const began = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/v1/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(input),
      signal,
    });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - began };
  };

/** Repeats something until the attack is over. */
const loops = (count, work, until) =>
  Array.from({ length: count }, async (_, i) => {
    while (performance.now() < until) await work(i);
  });

/** The owner's session on the dashboard. */
async function signedIn(port, store, email) {
  const base = `http://127.0.0.1:${port}`;
  const post = (path, body, headers = {}) =>
    fetch(`${base}/dashboard/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base, ...headers },
      body: JSON.stringify(body),
    });
  const answer = await post('auth/sign-in', { email, password: PASSWORD });
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return async (path, body) => {
    const sent = await post(`stores/${store}/${path}`, body, { cookie, 'idempotency-key': randomUUID() });
    await sent.arrayBuffer();
    return sent.status;
  };
}

/** What the large store does: each attack begins its calls, until a time. */
function attacks(port, call, owner, { brandId, productId }) {
  const report = {
    from: new Date(Date.now() - YEAR_MS).toISOString(),
    to: new Date().toISOString(),
    groupBy: 'product',
  };
  const all = (count, work) => Array.from({ length: count }, (_, i) => work(i));
  return {
    'keyed connect_bot, slow messenger': () =>
      all(12, (i) =>
        call(
          'connect_bot',
          { token: `${100_000_000 + i}:${'x'.repeat(35)}` },
          { headers: { 'idempotency-key': randomUUID() } },
        ),
      ),
    'reports at once': () => all(30, () => call('get_sales_report', report)),
    'reports whose caller leaves': () =>
      all(30, () => call('get_sales_report', report, { signal: AbortSignal.timeout(400) })),
    'searches at once': () => all(100, () => call('find_orders', { text: 'mug' })),
    'previews of a large deletion, and those who wait for its locks': (until) => [
      ...loops(
        3,
        () => call('preview_change', { operation: 'delete_brand', input: { id: brandId, confirm: true } }),
        until,
      ),
      ...loops(12, () => call('update_stock', { productId, delta: 1 }), until),
    ],
    'keyed step-ups': (until) =>
      loops(24, () => owner('tokens', { name: 'x', scope: 'admin', currentPassword: PASSWORD }), until),
    invitations: (until) =>
      loops(24, () => owner('members', { email: `${randomUUID()}@invited.example` }), until),
  };
}

/** Calls of the quiet store, one of each kind every fifth of a second. */
async function quiet(call, until) {
  const kinds = {
    update_general: (n) => ({ title: `Title ${n}` }),
    find_orders: () => ({ text: 'mug' }),
    get_settings: () => ({}),
  };
  const measured = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
  const underWay = [];
  for (let n = 0; performance.now() < until; n++) {
    for (const [name, inputOf] of Object.entries(kinds))
      underWay.push(call(name, inputOf(n)).then((answer) => measured[name].push(answer)));
    await sleep(EVERY_MS);
  }
  await Promise.all(underWay);
  return measured;
}

const p95 = (answers) => answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(answers.length * 0.95)];
const refused = (answers) => answers.filter(({ status }) => status !== 200).length;

const messenger = await slowMessenger();
await withDatabase(async (database) => {
  const { stores, tokens } = await seed(database.url, { stores: 2, orders: 2_000, products: 100, newToken });
  const ids = await makeLarge(database.url, stores[0], LARGE);
  const { child, port } = await startService(database, {
    ...{ MESSENGER_API_ROOT: messenger.root, BASE_URL: 'https://shop.example' },
    ...{ SESSION_RATE_LIMIT_READ: '1000000', SESSION_RATE_LIMIT_WRITE: '1000000' },
  });
  const [large, small] = tokens.map((token) => caller(port, token));
  const owner = await signedIn(port, stores[0], ids.email);
  const table = {};
  const measure = async (name, begin) => {
    const until = performance.now() + ATTACK_MS;
    const attack = begin(until).map((one) => one.catch(() => undefined));
    const found = await quiet(small, until);
    await Promise.all(attack);
    table[name] = Object.fromEntries(
      Object.entries(found).flatMap(([kind, answers]) => [
        [`${kind}, p95 ms`, round(p95(answers), 0)],
        [`${kind}, refused`, refused(answers)],
      ]),
    );
  };
  await quiet(small, performance.now() + 3_000);
  await measure('idle', () => []);
  const chosen = process.env.FAIRNESS_ATTACKS?.split(',');
  for (const [name, begin] of Object.entries(attacks(port, large, owner, ids))) {
    if (!chosen || chosen.some((one) => name.includes(one))) await measure(name, begin);
  }
  console.table(table);
  const late = Object.entries(table).flatMap(([name, row]) =>
    Object.keys(row)
      .filter((key) => (key.endsWith('refused') ? row[key] > 0 : row[key] > GOAL * table.idle[key]))
      .map((key) => `${name}: ${key} ${row[key]}`),
  );
  console.log(late.length === 0 ? `All within ${GOAL} times of idle, none refused.` : late.join('\n'));
  await stop(child);
});
messenger.server.close();
