// npm run bench:fairness: one store at its worst, and what a quiet one then waits. Every attack has a bound
// of time, and stays on this machine. FAIRNESS_SCALE makes the large store smaller (1: 90,000 products,
// 60,000 customers, 80,000 orders); FAIRNESS_ATTACKS chooses among the attacks.
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
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
const BASE_URL = 'https://shop.example';
const YEAR_MS = 365 * 24 * 3_600_000;
const PRODUCTS_WITH_VARIANTS = 30;
const VARIANTS = 1_000;
const GROUP = 200;

const bot = (token) => ({ id: Number(token.split(':')[0]), is_bot: true, username: 'a_bot' });

/** A messenger that takes long to register a webhook. */
async function slowMessenger() {
  const server = createServer((request, response) => {
    const [, token, method] = /^\/bot([^/]+)\/(\w+)/.exec(request.url);
    const answer = () =>
      response.end(JSON.stringify({ ok: true, result: method === 'getMe' ? bot(token) : true }));
    request.resume().on('end', () => void setTimeout(answer, method === 'setWebhook' ? SLOW_MS : 0));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, root: `http://127.0.0.1:${server.address().port}` };
}

/** A name server that never answers. */
async function silentNameServer() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** Calls of one token: the status of each, how long it took, and what it answered. */
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
    const { data } = await response.json();
    return { status: response.status, ms: performance.now() - began, data };
  };

/** Repeats something until the attack is over. */
const loops = (count, work, until) =>
  Array.from({ length: count }, async (_, i) => {
    const answers = [];
    while (performance.now() < until) answers.push(await work(i));
    return answers;
  });

/** The owner's session on the dashboard. */
async function signedIn(port, store, email) {
  const send = async (method, path, body, headers = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/dashboard/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: BASE_URL, ...headers },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer;
  };
  const { headers } = await send('POST', 'auth/sign-in', { email, password: PASSWORD });
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return async (path, body, method = 'POST') => {
    const began = performance.now();
    const { status } = await send(method, `stores/${store}/${path}`, body, {
      ...{ cookie, 'idempotency-key': randomUUID() },
    });
    return { status, ms: performance.now() - began };
  };
}

/** Deletes the brand of all products, and takes that back. */
async function deleteAndUndo(call, brandId) {
  const deleted = await call('delete_brand', { id: brandId, confirm: true });
  const { data } = await call('list_activity', { operation: 'delete_brand', take: 1 });
  const undone = await call('undo_change', { activityId: data.items[0].id });
  console.log(
    'delete_brand, undo_change:',
    ...[deleted, undone].map(({ status, ms }) => [status, round(ms, 0)]),
  );
  return [deleted, undone];
}

/** As many variants as a body of 1 MiB holds. */
const manyVariants = () => ({
  items: Array.from({ length: PRODUCTS_WITH_VARIANTS }, (_, p) => ({
    ...{ productId: randomUUID(), title: `Many sizes ${p}`, description: '', price: 1 },
    images: ['https://images.example/a.jpg'],
    variants: Array.from({ length: VARIANTS / GROUP }, (_group, g) => ({
      optionTitle: `O${g}`,
      values: Array.from({ length: GROUP }, (_value, v) => ({ variantValue: `v${v}`, price: 1 })),
    })),
  })),
});

/** What the large store does: each attack begins its calls, until a time. */
function attacks(port, call, owner, { brandId, productId }) {
  const report = {
    from: new Date(Date.now() - YEAR_MS).toISOString(),
    to: new Date().toISOString(),
    groupBy: 'product',
  };
  const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } });
  const all = (count, work) => Array.from({ length: count }, (_, i) => work(i));
  return {
    '12 keyed connect_bot, slow messenger': () =>
      all(12, (i) => call('connect_bot', { token: `${100_000_000 + i}:${'x'.repeat(35)}` }, keyed())),
    'webhooks whose name server hangs': (until) =>
      loops(24, (i) => owner('webhook', { url: `https://a${i}.hanging.example/` }, 'PUT'), until),
    '30 reports at once': () => all(30, () => call('get_sales_report', report)),
    '30 reports whose caller leaves': () =>
      all(30, () => call('get_sales_report', report, { signal: AbortSignal.timeout(400) })),
    '100 searches at once': () => all(100, () => call('find_orders', { text: 'mug' })),
    'previews of a large deletion, and those who wait for its locks': (until) => [
      ...loops(
        3,
        () => call('preview_change', { operation: 'delete_brand', input: { id: brandId, confirm: true } }),
        until,
      ),
      ...loops(12, () => call('update_stock', { productId, delta: 1 }), until),
    ],
    'a large deletion and its undo': () => all(1, () => deleteAndUndo(call, brandId)),
    'products with many variants': (until) => loops(2, () => call('create_products', manyVariants()), until),
    '24 loops of keyed step-ups': (until) =>
      loops(24, () => owner('tokens', { name: 'x', scope: 'admin', currentPassword: PASSWORD }), until),
    '24 loops of invitations': (until) =>
      loops(24, () => owner('members', { email: `${randomUUID()}@invited.example` }), until),
  };
}

/** Calls of the quiet store, one of each kind every fifth of a second. */
async function quiet(call, until) {
  const kinds = {
    update_general: (n) => ({ title: `Title ${n}` }),
    find_orders: () => ({ text: 'shopper' }),
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

/** What the attacker was answered: how often each status. */
function statuses(answers) {
  const counts = new Map();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

const messenger = await slowMessenger();
const names = await silentNameServer();
const late = [];
await withDatabase(async (database) => {
  const { stores, tokens } = await seed(database.url, { stores: 2, orders: 2_000, products: 100, newToken });
  const ids = await makeLarge(database, stores[0], LARGE);
  const { child, port } = await startService(database, {
    ...{ MESSENGER_API_ROOT: messenger.root, BASE_URL },
    ...{ SESSION_RATE_LIMIT_READ: '1000000', SESSION_RATE_LIMIT_WRITE: '1000000' },
    // Names of webhooks are looked up only where their addresses must be public.
    ...{ WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false', NAME_SERVER: `127.0.0.1:${names.address().port}` },
    NODE_OPTIONS: `--import ${new URL('name-server.mjs', import.meta.url)}`,
  });
  const [large, small] = tokens.map((token) => caller(port, token));
  const owner = await signedIn(port, stores[0], ids.email);
  const table = {};
  let idle;
  const measure = async (name, begin) => {
    const until = performance.now() + ATTACK_MS;
    const attack = begin(until).map((one) => one.catch(() => ({ status: 'left' })));
    const found = await quiet(small, until);
    const answers = (await Promise.all(attack)).flat();
    const times = Object.fromEntries(Object.entries(found).map(([kind, all]) => [kind, p95(all)]));
    idle ??= times;
    const row = { refused: 0 };
    for (const [kind, ms] of Object.entries(times)) {
      const ratio = round(ms / idle[kind], 1);
      row[`${kind}, p95`] = `${round(ms, 0)} ms, ${ratio} × idle`;
      row.refused += refused(found[kind]);
      if (ratio > GOAL) late.push(`${name}: ${kind} takes ${ratio} times as long as idle`);
    }
    if (row.refused > 0) late.push(`${name}: ${row.refused} calls of the quiet store were refused`);
    table[name] = { ...row, attacker: statuses(answers) };
  };
  await quiet(small, performance.now() + 3_000);
  await measure('idle', () => []);
  const chosen = process.env.FAIRNESS_ATTACKS?.split(',');
  for (const [name, begin] of Object.entries(attacks(port, large, owner, ids))) {
    if (!chosen || chosen.some((one) => name.includes(one))) await measure(name, begin);
  }
  console.table(table);
  console.log(late.length === 0 ? `All within ${GOAL} times of idle, none refused.` : late.join('\n'));
  await stop(child);
});
messenger.server.close();
names.close();
process.exitCode = late.length === 0 ? 0 : 1;
