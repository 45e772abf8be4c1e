// The servers that are compared: what is installed, started and asked.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transformFileSync } from '@swc/core';
import { newToken } from '../../dist/src/platform/auth/token.js';
import { seed } from '../seed.mjs';
import { freePort, start, startService } from '../service.mjs';

const here = import.meta.dirname;
export const FOLDER = process.env.PEERS_FOLDER ?? path.join(tmpdir(), 'shop-peers');
const PRODUCTS = Number(process.env.PEERS_PRODUCTS ?? 1_000);
const ORDERS = Number(process.env.PEERS_ORDERS ?? 10_000);
/** The number of different orders. A change goes through all of them twice, there and back. */
const SAMPLE = 1_000;

/** Runs a program of a peer to its end. Its output is shown if it fails. */
function run(folder, args, env) {
  const options = { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${`${stdout}${stderr}`.slice(-2_000)}`);
}

export async function json(url, { headers, ...init } = {}) {
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
export const SERVERS = {
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
    const ORDER = `id code state currencyCode totalWithTax createdAt updatedAt
      customer { id firstName lastName } shippingAddress { fullName phoneNumber }
      lines { id quantity unitPriceWithTax productVariant { id name sku } }`;
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
        const list = `query ($skip: Int!) {
          orders(options: { take: 20, skip: $skip, sort: { id: DESC } }) { items { ${ORDER} } } }`;
        const set = `mutation ($id: ID!, $state: String!) { transitionOrderToState(id: $id, state: $state) {
          __typename ... on Order { ${ORDER} }
          ... on OrderStateTransitionError { errorCode transitionError } } }`;
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
