import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { startServer } from '../support/global-setup.mjs';
import stopServer from '../support/global-teardown.mjs';

// npm run test:steady: what waits for something must pass on a machine that has no time for it. Runs it three
// times while every core is burnt, and stops at the first failure. Files as arguments run these alone.
const ROUNDS = 3;
const LIMIT_MS = 30 * 60_000;
const STOPPING_MS = 20_000;
/** Deliveries, streams, timers, sockets and locks: what shows each kind, not all that waits. */
const TESTS = [
  ...['src/webhooks/', 'test/webhooks/', 'test/redis/redis', 'test/pooler/pooler'],
  ...['test/doors/dashboard/(live|orders/exports)', 'test/groups/feeds/', 'test/groups/orders/events'],
  ...['src/messenger/', 'test/groups/marketing/campaign-repeats', 'test/groups/orders/ship-notify'],
  ...['test/doors/mcp/(calls|campaign)', 'test/contract/(wire|shares|probes|stores/lost-connection)'],
  ...['src/platform/database/connections/', 'test/process/process-lock', 'test/process/stop'],
  ...['test/groups/orders/(delete-locks|at-once/)', 'test/groups/settings/payment-providers.spec'],
];
const PAGES = ['frame/(frame|offline|unreachable|later)', 'shop/(unsaved|webhooks)', 'people/notices'];

/** Takes all of a core until its parent has ended it, or has itself ended. */
const BURN = 'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i++);';

const given = process.argv.slice(2);
const isOfPages = (file) => file.startsWith('test/web/');
const chosen = (files, all) => (given.length === 0 ? all : files);
const STEPS = {
  tests: [
    chosen(
      given.filter((file) => !isOfPages(file)),
      TESTS,
    ),
    ['jest', '--config', 'test/runner/jest.config.js', '--silent'],
  ],
  pages: [
    chosen(
      given.filter(isOfPages),
      PAGES.map((page) => `test/web/${page}`),
    ),
    ['playwright', 'test', '--config', 'test/web/playwright.config.ts', '--project=desktop'],
  ],
};

let running = null;
let problem = null;

/** Ends what runs, with all that it has started. */
function stop(why) {
  problem ??= why;
  if (running === null) return;
  const group = -running.pid;
  process.kill(group, 'SIGTERM');
  setTimeout(() => running?.pid === -group && process.kill(group, 'SIGKILL'), STOPPING_MS).unref();
}

/** Runs a program. Its output is shown only if it fails. */
async function run(name, [program, ...args], env) {
  const began = performance.now();
  const options = { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: { ...process.env, ...env } };
  running = spawn(`node_modules/.bin/${program}`, args, options);
  let output = '';
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (data) => (output += data));
  const [code] = await once(running, 'close');
  running = null;
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`=== ${name}: ${code === 0 ? 'passed' : 'failed'} in ${seconds} s`);
  if (code === 0) return;
  console.log(output);
  problem ??= `${name} failed`;
}

const late = setTimeout(() => stop(`not done within ${LIMIT_MS / 60_000} minutes`), LIMIT_MS);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(`ended by ${signal}`));
const burners = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', BURN]));
try {
  const env = { TEST_DATABASE_URL: await startServer() };
  for (let round = 1; round <= ROUNDS; round++)
    for (const [name, [files, command]] of Object.entries(STEPS))
      if (files.length > 0 && problem === null)
        await run(`${name}, round ${round}`, [...command, ...files], env);
} finally {
  clearTimeout(late);
  for (const burner of burners) burner.kill('SIGKILL');
  await stopServer();
}
if (problem !== null) console.log(problem);
process.exitCode = problem === null ? 0 : 1;
