import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCE = /^(src|migrations)\/.*(?<!\.spec)\.ts$/;

/**
 * @returns the file that runs outside tests: the one in `dist` for a source, a package's file itself, or null
 * for the tests' own files
 */
export function asShipped(file) {
  if (file.includes('/node_modules/')) return file;
  const name = path.relative(ROOT, file);
  return SOURCE.test(name) ? path.join(ROOT, 'dist', name.replace(/ts$/, 'js')) : null;
}
