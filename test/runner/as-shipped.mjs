import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCE = /^(src|migrations)\/.*(?<!\.spec)\.ts$/;

/** @returns what runs outside tests for a file: that of `dist` for a source, a package's file itself; null for the tests' own */
export function asShipped(file) {
  if (file.includes('/node_modules/')) return file;
  const name = path.relative(ROOT, file);
  return SOURCE.test(name) ? path.join(ROOT, 'dist', name.replace(/ts$/, 'js')) : null;
}
