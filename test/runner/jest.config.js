import path from 'node:path';
import plain from '../../jest.config.js';

/**
 * For all tests at once (`npm test`): the service is loaded as it was built, once in a worker and not again
 * for each file, which takes less than half of the time. `npx jest` alone is plain, for --watch, --coverage
 * and a debugger.
 */
export default {
  ...plain,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  runtime: '<rootDir>/test/runner/runtime.mjs',
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  transformIgnorePatterns: ['/node_modules/', '/dist/'],
};
