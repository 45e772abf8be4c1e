// The embedded database is killed at random moments under load. The test of the watch does it, beside the
// suite's own servers (test/process/watched-database.spec.ts).
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const JEST = path.join(ROOT, 'node_modules/jest/bin/jest.js');

async function killed(_, { short }) {
  const test = ['test/process/watched-database', '--testNamePattern', 'is back after each of'];
  const broken = await promisify(execFile)(process.execPath, [JEST, ...test], {
    cwd: ROOT,
    env: { ...process.env, SLOW_TESTS: short ? '' : '1' },
  }).then(
    // Jest succeeds also if no test has that name.
    ({ stderr }) => (/^Tests: .*\d passed/m.test(stderr) ? [] : [stderr]),
    ({ stderr }) => [stderr],
  );
  return { done: short ? '3 kills' : '20 kills with one process, 20 with two', broken };
}

export const faults = [{ id: 'F29', name: 'embedded PostgreSQL killed', run: killed }];
