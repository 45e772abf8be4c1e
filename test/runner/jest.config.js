import { createRequire } from 'node:module';
import path from 'node:path';
import plain from '../../jest.config.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const [tests] = Object.values(plain.transform);

/** The packages that the given ones consist of, themselves included. */
function partsOf(names, found = new Set()) {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    const manifest = path.join(ROOT, 'node_modules', name, 'package.json');
    partsOf(Object.keys(createRequire(import.meta.url)(manifest).dependencies ?? {}), found);
  }
  return [...found];
}

/**
 * For all tests at once (`npm test`): the service is loaded as it was built, once in a worker and not again
 * for each file, which takes less than half of the time. `npx jest` alone loads sources, for --watch,
 * --coverage and a debugger.
 */
export default {
  ...plain,
  rootDir: ROOT,
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  transform: {
    '/node_modules/.*\\.(js|cjs|mjs)$': '<rootDir>/test/runner/shipped.mjs',
    [`^${ROOT}/(src|migrations)/.*(?<!\\.spec)\\.ts$`]: '<rootDir>/test/runner/shipped.mjs',
    '\\.(ts|js|mjs)$': tests,
  },
  // Jest itself, which runs the tests.
  transformIgnorePatterns: [
    `^${ROOT}/dist/`,
    `/node_modules/(${partsOf(['jest-circus', 'jest-environment-node']).join('|')})/`,
  ],
};
