import { createHash } from 'node:crypto';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** @returns the file that runs outside tests: the one in `dist` for a source, a package's file itself */
const shipped = (file) =>
  file.includes('/node_modules/')
    ? file
    : path.join(ROOT, 'dist', path.relative(ROOT, file).replace(/ts$/, 'js'));

/** Whether it is a test that asks. The files around all tests (globalSetup) have no environment. */
const isForTest = () => process.env.JEST_WORKER_ID !== undefined;

/** Jest's transformer of sources and packages: each is a module that Node has loaded. */
export default {
  process: (text, file) =>
    isForTest()
      ? { code: `module.exports = loadShipped(${JSON.stringify(shipped(file))});` }
      : { code: text },
  getCacheKey: (text, file) =>
    createHash('sha256')
      .update(isForTest() ? file : `${file}\n${text}`)
      .digest('hex'),
};
