import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const SWC = {
  sourceMaps: 'inline',
  swcrc: false,
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

// The Redis mode is tested against a real server; where there is none, those tests stay out, and say so.
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis)
  console.warn('redis-server is not installed: the tests of the Redis mode (test/redis) are left out');

// What pg_dump writes is restored with the programs of Debian's PostgreSQL, on servers of their own.
const POSTGRES = '/usr/lib/postgresql';
const hasPostgres =
  existsSync(POSTGRES) &&
  readdirSync(POSTGRES).some((version) => existsSync(`${POSTGRES}/${version}/bin/pg_dump`));
if (!hasPostgres)
  console.warn(
    "Debian's postgresql is not installed: " +
      'the tests of pg_dump (test/debian) and of a standby (test/failover) are not run',
  );

// The service runs through a real pooler.
const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;
if (!hasPgBouncer)
  console.warn('pgbouncer is not installed: the tests through it (test/pooler) are left out');

// The sign-in pages of apps are gone through in a real browser, whose policies nothing else shows.
const hasChromium = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].some(
  (name) => existsSync(`/usr/bin/${name}`),
);
if (!hasChromium)
  console.warn('chromium is not installed: the tests in a browser (test/browser) are left out');

// Alerts are evaluated by Prometheus' own program, over figures of the real service.
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool)
  console.warn('promtool is not installed: the tests of the alerts (test/prometheus) are left out');

// What takes minutes and seldom breaks: the contract's suites once more through a pooler, failover of
// PostgreSQL, a standby, an upgrade under traffic, the image, builds and Nest's own commands,
// killed workers and rows of the fault suite, readers of feeds while processes are killed, the files of
// backups, stores whose move is killed, the time that each body holds the event loop
// (test/contract/schema/bounds.spec.ts holds the bounds themselves), runtimes of partners and what they
// generate, the steps of CONTRIBUTING in a copy.
// npm run test:slow runs them, and what other files keep for it (test/support/slow.ts): whole matrices, more
// random runs, the rarer ends of processes and databases. Run it before a release, and after a change of what
// they are about.
const SLOW = [
  '/test/pooler/(operations|tokens|tenancy)',
  '/test/failover/',
  '/test/installation/upgrade-',
  '/test/installation/backups/files',
  '/test/installation/backups/move',
  '/test/process/(image|event-loop|nest-cli|launch)',
  '/test/debian/(replica|store-move-interrupted|point-in-time)',
  '/test/client/(runtimes|generators)',
  '/test/doors/mcp/agents/(mcp-remote|step-up)',
  '/test/docs/contributing',
  '/test/faults/',
  '/test/groups/feeds/killed',
];

/** @type {import('jest').Config} */
export default {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/web/test'],
  testPathIgnorePatterns: [
    '/node_modules/',
    // The pages have a runner of their own: npm run test:web.
    '/test/web/',
    ...(process.env.SLOW_TESTS ? [] : SLOW),
    ...(hasRedis ? [] : ['/test/redis/']),
    ...(hasPgBouncer ? [] : ['/test/pooler/']),
    ...(hasPromtool ? [] : ['/test/prometheus/']),
    ...(hasPostgres ? [] : ['/test/debian/', '/test/failover/']),
    ...(hasChromium ? [] : ['/test/browser/']),
  ],
  testRegex: '\\.spec\\.ts$',
  // Sources name the compiled file, as Node's modules do; packages mean it.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1', '$1.js'] },
  // Jest loads CommonJS: packages that are ES modules are compiled too, once.
  transform: { '\\.(ts|js|mjs)$': ['@swc/jest', SWC] },
  transformIgnorePatterns: [],
  coverageProvider: 'v8',
  // What fails is waited for; a busy machine is no failure.
  testTimeout: 120_000,
  // More workers than cores: two thirds of a test's time are waiting for the database and for processes.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
};
