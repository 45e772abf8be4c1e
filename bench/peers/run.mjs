// npm run bench:peers: compares Vendure, Medusa and a plain Nest service with TypeORM with this service, on
// one PostgreSQL and the same data. They are installed from the registry into PEERS_FOLDER (default:
// shop-peers in the folder for temporary files), which is kept for the next run. PEERS chooses among nest,
// vendure and medusa. PEERS_ROUNDS and PEERS_SECONDS set how often and how long each is loaded.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { cpuMicros, load, rssMb } from '../measure.mjs';
import { median, round, stop, withDatabase } from '../service.mjs';
import { FOLDER, json, SERVERS } from './servers.mjs';

const ROUNDS = Number(process.env.PEERS_ROUNDS ?? 3);
const SECONDS = Number(process.env.PEERS_SECONDS ?? 5);
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
