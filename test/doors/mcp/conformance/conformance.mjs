// Runs the official conformance suite, the inspector's strict check and the model vendors' own converters
// against the built service, with a real token. They need Node 22 and weigh over 400 MB, so they are no
// dependencies: they are installed into node_modules/.cache when first run.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { paced } from '../../../support/waiting/paced.mjs';
import { freePort } from '../../../support/servers/free-port.mjs';
import { installTools } from '../../../support/tools.mjs';
import { authorizationConformance } from './authorization.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(HERE, '../../../..');
const TOOLS = path.join(ROOT, 'node_modules/.cache/mcp-conformance');
const PACKAGES = [
  'node@22.23.3',
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  '@modelcontextprotocol/inspector@2.12.0',
  '@modelcontextprotocol/sdk@1.32.2',
  'openai@7.55.0',
  '@anthropic-ai/sdk@1.10.0',
  '@google/genai@3.1.0',
];
const REVISIONS = ['2025-11-25', '2026-07-28'];
const SUITE = path.join(TOOLS, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const BASELINE = path.join(HERE, 'conformance-baseline.yml');

const say = (line) => process.stdout.write(`${line}\n`);
const built = (name) => path.join(ROOT, `dist/src/${name}.js`);
const binary = (name) => path.join(TOOLS, 'node_modules/.bin', name);

/** Runs a program to its end. @returns its exit code and all it printed */
function run(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: HERE, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) child[stream].on('data', (data) => (printed[stream] += data));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...printed }));
  });
}

async function succeed(command, args, env) {
  const { code, stdout, stderr } = await run(command, args, env);
  if (code !== 0)
    throw new Error(`${path.basename(command)} ${args.join(' ')} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}

async function startService(env) {
  // Of this folder, since the project's `.env` is its developer's.
  const child = spawn(process.execPath, [built('main')], {
    cwd: HERE,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null) return resolve();
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  for (let i = 0; i < 300 && child.exitCode === null; i++) {
    const response = await fetch(`http://127.0.0.1:${env.PORT}/health/ready`).catch(() => null);
    if (response?.ok) return stop;
    await paced(200);
  }
  await stop();
  throw new Error('the service did not start within a minute; has it been built?');
}

/** @returns an admin token of a new store, and its owner */
async function createStore(env) {
  const shop = async (...args) =>
    JSON.parse(await succeed(process.execPath, [built('cli'), ...args, '--json'], env));
  const store = await shop(
    'store',
    'create',
    '--name',
    'Conformance',
    '--currency',
    'USD',
    '--owner-email',
    'owner@shop.example',
  );
  const { token } = await shop(
    'token',
    'create',
    '--store',
    store.id,
    '--name',
    'conformance',
    '--scope',
    'admin',
  );
  return { token, owner: { email: store.ownerEmail, password: store.ownerPassword } };
}

/**
 * The suite cannot send a token. Host and Origin pass as they are: the suite tests what the service does with
 * them.
 */
function startProxy(port, token) {
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const onward = http.request(
      { host: '127.0.0.1', port, path: request.url, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** @returns how many checks passed, and the baseline's entries it met */
async function conformance(revision, url) {
  const args = [SUITE, 'server', '--url', url, '--requirements', revision, '--expected-failures', BASELINE];
  const printed = await succeed(binary('node'), args);
  const [, passed] = /^Total: (\d+) passed/m.exec(printed) ?? [];
  return { passed: Number(passed), met: [...printed.matchAll(/^ {2}~ (\S+)/gm)].map(([, entry]) => entry) };
}

async function checkEverything(port, { token, owner }) {
  const proxy = await startProxy(port, token);
  try {
    const url = `http://localhost:${proxy.address().port}/mcp`;
    const met = new Set();
    for (const revision of REVISIONS) {
      const result = await conformance(revision, url);
      for (const entry of result.met) met.add(entry);
      say(`${revision}: ${result.passed} checks passed, ${result.met.length} do not apply`);
    }
    const entries = [...readFileSync(BASELINE, 'utf8').matchAll(/^ {2}- (\S+)/gm)].map(([, entry]) => entry);
    const stale = entries.filter((entry) => !met.has(entry));
    if (stale.length > 0) throw new Error(`the baseline lists what no run met: ${stale.join(', ')}`);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
  const command = [binary('node'), SUITE];
  const passed = await authorizationConformance({
    command,
    issuer: `http://localhost:${port}`,
    callbackPort: await freePort(),
    owner,
  });
  say(`authorization: ${passed} checks passed`);
  const inspect = [
    '--cli',
    `http://localhost:${port}/mcp`,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${token}`,
  ];
  const listed = await run(binary('node'), [
    binary('mcp-inspector'),
    ...inspect,
    '--method',
    'tools/list',
    '--strict',
  ]);
  // What it prints names the token's header when it fails.
  if (listed.code !== 0)
    throw new Error(`the inspector ended with ${listed.code}\n${listed.stderr.replaceAll(token, '…')}`);
  const vendors = await succeed(
    binary('node'),
    [path.join(HERE, 'vendors.mjs'), TOOLS, `http://localhost:${port}/mcp`],
    {
      ...process.env,
      MCP_TOKEN: token,
    },
  );
  say(`converted for ${vendors.trim()}`);
  const stderr = listed.stderr ? `\n${listed.stderr}` : '';
  say(`inspector: ${JSON.parse(listed.stdout).tools.length} tools, strict${stderr}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'shop-conformance-'));
let stopService = async () => undefined;
try {
  installTools(TOOLS, PACKAGES);
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const limits = { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' };
  const env = {
    PATH,
    HOME,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
    NODE_ENV: 'test',
    ...limits,
  };
  stopService = await startService(env);
  await checkEverything(port, await createStore(env));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await stopService();
  rmSync(folder, { recursive: true, force: true });
}
