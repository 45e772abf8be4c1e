import { spawn } from 'node:child_process';

// npm run test:quick: runs the checks that a change breaks most often, within a time that one is willing to
// wait. npm test runs everything. Names of steps as arguments run these alone.
const CACHE = 'node_modules/.cache';
/** `.bin/tsc` may be that of the other TypeScript, which ESLint and Nest need. */
const TSC = '../typescript7/bin/tsc';
const STEPS = {
  types: [TSC],
  'types of the pages': [TSC, '-p', 'web'],
  'types of the shop': [TSC, '-p', 'web/shop'],
  format: ['prettier', '--check', '--log-level', 'warn', '--cache', '.'],
  promises: ['oxlint'],
  lint: ['eslint', '.', '--cache', '--cache-location', `${CACHE}/eslint/`],
  tests: [
    ...['jest', '--config', 'test/runner/jest.config.js', '--silent', '--maxWorkers=3'],
    // Not what starts clusters of PostgreSQL, nor contributing.spec.ts, which runs Jest in a copy.
    ...['src/(?!embedded-postgres)', 'test/architecture.spec.ts'],
    ...['test/docs/(?!contributing)', 'test/client/generated.spec.ts', 'test/groups/records.spec.ts'],
    ...['test/contract/(operations|safe-retries).spec.ts'],
  ],
};

/**
 * @returns whether the step passed. Its output is shown only when it has ended, so that the steps' outputs do
 * not mix
 */
const run = async (name, [program, ...args]) => {
  const began = performance.now();
  const child = spawn(`node_modules/.bin/${program}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`=== ${name}: ${code === 0 ? 'passed' : 'failed'} in ${seconds} s`);
  if (code !== 0) console.log(output);
  return code === 0;
};

const named = process.argv.slice(2);
const isWanted = (name) => named.length === 0 || named.includes(name);

/** Runs steps one after the other. @returns whether all passed */
const runAll = async (...names) => {
  let passed = true;
  for (const name of names.filter(isWanted)) passed = (await run(name, STEPS[name])) && passed;
  return passed;
};

// What reads the sources runs one after the other, beside the tests. Three workers run the tests, because
// most of these wait most of the time.
const passed = await Promise.all([
  runAll('types', 'types of the pages', 'promises', 'format', 'lint'),
  runAll('tests'),
]);
process.exitCode = passed.every(Boolean) ? 0 : 1;
