// npm run bench:peers: compares Vendure, Medusa and a plain Nest service with TypeORM with this service, on
// one PostgreSQL and the same data. They are installed from the registry into PEERS_FOLDER (default:
// shop-peers in the folder for temporary files), which is kept for the next run. PEERS chooses among nest,
// vendure and medusa. PEERS_ROUNDS and PEERS_SECONDS set how often and how long each is loaded.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { transformFileSync } from '@swc/core';
import { newToken } from '../../dist/src/platform/auth/token.js';
import { cpuMicros, load, rssMb } from '../measure.mjs';
import { seed } from '../seed.mjs';
import { freePort, median, round, start, startService, stop, withDatabase } from '../service.mjs';

const here = import.meta.dirname;
const FOLDER = process.env.PEERS_FOLDER ?? path.join(tmpdir(), 'shop-peers');
const PRODUCTS = Number(process.env.PEERS_PRODUCTS ?? 1_000);
const ORDERS = Number(process.env.PEERS_ORDERS ?? 10_000);
const ROUNDS = Number(process.env.PEERS_ROUNDS ?? 3);
const SECONDS = Number(process.env.PEERS_SECONDS ?? 5);
/** The number of different orders. A change goes through all of them twice, there and back. */
const SAMPLE = 1_000;
const CONNECTIONS = 8;
/**
 * Counted in calls, because V8 decides by calls what to compile. The limit in seconds is for the slowest
 * server, which would need minutes.
 */
const WARM_UP = { calls: 2_000, seconds: 30 };
const OPERATIONS = ['get order', 'list orders', 'change of an order'];
/** How many times as many calls a second as the other server this service is to answer, at least. */
const GOALS = {
  nest: { 'get order': 10, 'change of an order': 4 },
  vendure: { 'get order': 25 },
};

/** Runs a program of a peer to its end. Its output is shown if it fails. */
function run(folder, args, env) {
  const options = { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${`${stdout}${stderr}`.slice(-2_000)}`);
}

async function json(url, { headers, ...init } = {}) {
  const response = await fetch(url, { ...init, headers: { 'Content-Type': 'application/json', ...headers } });
  const text = await response.text();
  if (!response.ok || text.includes('"errors":['))
    throw new Error(`${url} answers ${response.status}: ${text.slice(0, 500)}`);
  return { body: JSON.parse(text), headers: response.headers };
}

const bearer = (token) => ({ Authorization: `Bearer ${token}` });
/** Numbers of orders, spread evenly over all orders. */
const sample = Array.from({ length: SAMPLE }, (_, i) => 1 + Math.floor((i * ORDERS) / SAMPLE));
const post = (address, body, token) => ({ method: 'POST', address, body, headers: bearer(token) });

/**
 * The facts about each server: how to fill its database, how to start it, and the requests of each operation.
 * In each list of changes, the first half changes the orders of the sample and the second half changes them
 * back.
 */
const SERVERS = {
  async ours(database) {
    const { tokens } = await seed(database.url, { stores: 1, orders: ORDERS, products: PRODUCTS, newToken });
    const [token] = tokens;
    return {
      start: () => startService(database),
      requests: () => {
        const call = (name, input) => post(`/v1/${name}`, input, token);
        const change = (status) => sample.map((orderId) => call('set_order_status', { orderId, status }));
        return {
          'get order': sample.map((orderId) => call('get_order', { orderId })),
          'list orders': sample.map((orderId) =>
            call('list_orders', { take: 20, cursor: String(Math.max(orderId, 21)) }),
          ),
          'change of an order': [...change('PROCESSING'), ...change('PENDING')],
        };
      },
    };
  },

  async nest(database) {
    const folder = install('nest');
    const { code } = transformFileSync(path.join(folder, 'server.ts'), {
      swcrc: false,
      module: { type: 'es6' },
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
    });
    writeFileSync(path.join(folder, 'server.mjs'), code);
    const env = { DATABASE_URL: database, TOKEN: newToken(), PRODUCTS, ORDERS };
    run(folder, ['server.mjs', 'seed'], env);
    return {
      start: () => serve(path.join(folder, 'server.mjs'), env),
      requests: () => {
        const call = (method, address, body) => ({
          method,
          address: `/orders${address}`,
          body,
          headers: bearer(env.TOKEN),
        });
        const change = (status) => sample.map((id) => call('PATCH', `/${id}`, { status }));
        return {
          'get order': sample.map((id) => call('GET', `/${id}`)),
          'list orders': sample.map((id) => call('GET', `?before=${Math.max(id, 21)}`)),
          'change of an order': [...change('PROCESSING'), ...change('PENDING')],
        };
      },
    };
  },

  async vendure(database) {
    const folder = install('vendure');
    const env = { DATABASE_URL: database, TOKEN: newToken(), PRODUCTS, ORDERS, NODE_ENV: 'production' };
    run(folder, ['server.mjs', 'seed'], env);
    const ORDER = `id code state currencyCode totalWithTax createdAt updatedAt customer { id firstName lastName }
      shippingAddress { fullName phoneNumber } lines { id quantity unitPriceWithTax productVariant { id name sku } }`;
    return {
      start: () => serve(path.join(folder, 'server.mjs'), env),
      async requests(port) {
        const login = `mutation { login(username: "superadmin", password: "${env.TOKEN}") { __typename } }`;
        const { headers } = await json(`http://127.0.0.1:${port}/admin-api`, {
          method: 'POST',
          body: JSON.stringify({ query: login }),
        });
        const call = (query, variables) =>
          post('/admin-api', { query, variables }, headers.get('vendure-auth-token'));
        const get = `query ($id: ID!) { order(id: $id) { ${ORDER} } }`;
        const list = `query ($skip: Int!) { orders(options: { take: 20, skip: $skip, sort: { id: DESC } }) { items { ${ORDER} } } }`;
        const set = `mutation ($id: ID!, $state: String!) { transitionOrderToState(id: $id, state: $state) {
          __typename ... on Order { ${ORDER} } ... on OrderStateTransitionError { errorCode transitionError } } }`;
        const change = (state) => sample.map((id) => call(set, { id, state }));
        return {
          'get order': sample.map((id) => call(get, { id })),
          'list orders': sample.map((id) => call(list, { skip: Math.min(id, ORDERS - 20) })),
          'change of an order': [...change('Packed'), ...change('Processing')],
        };
      },
    };
  },

  async medusa(database) {
    const folder = install('medusa');
    const cli = path.join(folder, 'node_modules/@medusajs/cli/cli.js');
    const env = {
      DATABASE_URL: database,
      TOKEN: newToken(),
      PRODUCTS,
      ORDERS,
      NODE_ENV: 'production',
      MEDUSA_DISABLE_TELEMETRY: 'true',
    };
    const person = { email: 'owner@shop.example', password: env.TOKEN };
    run(folder, [cli, 'db:migrate', '--skip-links', '--skip-scripts'], env);
    run(folder, [cli, 'db:sync-links', '--execute-all'], env);
    run(folder, [cli, 'user', '-e', person.email, '-p', person.password], env);
    run(folder, [cli, 'exec', './src/scripts/seed.js'], env);
    return {
      start: () =>
        serve(cli, env, { cwd: folder, args: ['start', '--host', '127.0.0.1'], health: '/health' }),
      async requests(port) {
        const base = `http://127.0.0.1:${port}`;
        const { body } = await json(`${base}/auth/user/emailpass`, {
          method: 'POST',
          body: JSON.stringify(person),
        });
        const headers = bearer(body.token);
        const page = `${base}/admin/orders?limit=${SAMPLE}&fields=id`;
        const ids = (await json(page, { headers })).body.orders.map(({ id }) => id);
        const FIELDS =
          'fields=id,display_id,status,currency_code,email,created_at,updated_at,*items,*shipping_address';
        const change = (email) =>
          ids.map((id) => ({
            method: 'POST',
            address: `/admin/orders/${id}?${FIELDS}`,
            body: { email },
            headers,
          }));
        return {
          'get order': ids.map((id) => ({
            method: 'GET',
            address: `/admin/orders/${id}?${FIELDS}`,
            headers,
          })),
          'list orders': sample.map((id) => ({
            method: 'GET',
            address: `/admin/orders?limit=20&offset=${Math.min(id, ORDERS - 20)}&order=-created_at&${FIELDS}`,
            headers,
          })),
          'change of an order': [...change('one@example.com'), ...change('other@example.com')],
        };
      },
    };
  },
};

/**
 * Copies our files into the peer's folder, and installs its packages there unless they are already installed.
 */
function install(name) {
  const folder = path.join(FOLDER, name);
  mkdirSync(folder, { recursive: true });
  const wanted = readFileSync(path.join(here, name, 'package.json'), 'utf8');
  const present = existsSync(path.join(folder, 'package.json'))
    ? readFileSync(path.join(folder, 'package.json'), 'utf8')
    : '';
  cpSync(path.join(here, name), folder, { recursive: true });
  if (present !== wanted || !existsSync(path.join(folder, 'package-lock.json'))) {
    console.log(`Installing ${name} into ${folder}…`);
    rmSync(path.join(folder, 'package-lock.json'), { force: true });
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return folder;
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param health the address to poll until the server is up, for a program that does not print when it is
 * ready
 */
async function serve(file, env, { cwd, args = [], health } = {}) {
  const port = await freePort();
  if (!health) {
    const child = await start(file, { ...env, PORT: String(port) }, 'ready');
    return { child, pid: child.pid, port };
  }
  const child = spawn(process.execPath, [file, ...args, '--port', String(port)], {
    cwd,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}${health}`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`${file} ended`);
    await sleep(100);
  }
  return { child, pid: child.pid, port };
}

function bytesOf({ method, address, body, headers }) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [`${method} ${address} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: keep-alive'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (text) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** Makes each call once, so that a response that is not an order is noticed before anything is measured. */
async function tryOut({ port, requests }) {
  for (const operation of OPERATIONS) {
    const [{ method, address, body, headers }] = requests[operation];
    const { body: answer } = await json(`http://127.0.0.1:${port}${address}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    const text = JSON.stringify(answer);
    if (!/"(items|lines)":\[\{/.test(text) || /errorCode/.test(text))
      throw new Error(`${operation}: ${text.slice(0, 500)}`);
    if (operation === 'list orders') console.log(`  ${operation}: ${text.length} characters`);
  }
}

async function prepare(name, database) {
  let own = database;
  if (name !== 'ours') {
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(`create database peer_${name}`);
    await owner.end();
    own = Object.assign(new URL(database.url), { pathname: `/peer_${name}` }).href;
  }
  console.log(`Filling ${name}…`);
  const began = performance.now();
  const server = await SERVERS[name](own);
  const running = await server.start();
  const requests = await server.requests(running.port);
  console.log(`${name}: filled and started in ${round((performance.now() - began) / 1000, 0)} s`);
  const target = { name, ...running, requests, files: {}, done: {} };
  await tryOut(target);
  for (const operation of OPERATIONS) {
    target.done[operation] = 1;
    target.files[operation] = path.join(FOLDER, `${name}-${operation.replaceAll(' ', '-')}.json`);
    writeFileSync(target.files[operation], JSON.stringify(requests[operation].map(bytesOf)));
  }
  return target;
}

async function measure(target, operation, limit) {
  const before = cpuMicros(target.pid);
  const options = {
    ports: [target.port],
    requests: target.files[operation],
    from: target.done[operation],
    ...limit,
  };
  const result = await load({ ...options, connections: CONNECTIONS });
  target.done[operation] += result.calls;
  return { ...result, cpuMicros: (cpuMicros(target.pid) - before) / result.calls };
}

/** How many times as many calls a second this service answers as the server, and whether that is enough. */
function judged(name, operation, rounds) {
  const times = round(
    median(rounds.ours.map(({ perSecond }, i) => perSecond / rounds[name][i].perSecond)),
    1,
  );
  const goal = GOALS[name]?.[operation];
  return {
    'times as many by ours': times,
    goal: goal === undefined ? '' : `at least ${goal}`,
    met: goal === undefined ? '' : times >= goal,
  };
}

const chosen = (process.env.PEERS ?? 'nest,vendure,medusa').split(',');
mkdirSync(FOLDER, { recursive: true });
await withDatabase(async (database) => {
  const targets = [];
  for (const name of ['ours', ...chosen]) {
    try {
      targets.push(await prepare(name, database));
    } catch (error) {
      console.log(`${name} is left out: ${error.message}`);
    }
  }
  for (const operation of OPERATIONS) {
    const rounds = Object.fromEntries(targets.map(({ name }) => [name, []]));
    for (const target of targets) await measure(target, operation, WARM_UP);
    for (let i = 0; i < ROUNDS; i++) {
      for (const target of i % 2 === 0 ? targets : targets.toReversed())
        rounds[target.name].push(await measure(target, operation, { seconds: SECONDS }));
    }
    console.log(
      `\n${operation}, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s in turns`,
    );
    const middle = (name, key) => median(rounds[name].map((found) => found[key]));
    console.table(
      targets.map(({ name, pid }) => ({
        server: name,
        'calls a second': round(middle(name, 'perSecond'), 0),
        ...judged(name, operation, rounds),
        'processor time a call, µs': round(middle(name, 'cpuMicros'), 0),
        'p50, ms': round(middle(name, 'p50'), 1),
        'p99, ms': round(middle(name, 'p99'), 1),
        'memory, MB': rssMb(pid),
        errors: rounds[name].reduce((sum, { errors }) => sum + errors, 0),
      })),
    );
  }
  for (const { child } of targets) await stop(child);
});
