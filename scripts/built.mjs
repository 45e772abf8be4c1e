import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');
const STAMP = path.join(ROOT, 'dist/.built');
/** Inside the folder, so that it goes when the pages go. */
const PAGES_STAMP = path.join(ROOT, 'dist/web/.built');
const FOLDERS = ['src', 'migrations'];
const FILES = ['scripts/compile.mjs', 'package-lock.json'];

/** Hash of everything that `dist` is made from. By content: a checkout may bring files that are older than the build. */
export function sourcesHash() {
  return hash([...FOLDERS.flatMap(filesOf), ...FILES].sort());
}

/** Hash of everything that the dashboard's pages are made from, what is generated from the service included. */
export function pagesHash() {
  return hash([...filesOf('web'), 'package-lock.json'].sort());
}

const filesOf = (folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));

/** Whether `dist` was made from the sources as they are. An image has no sources: what it holds is what there is. */
export function isBuilt() {
  if (!existsSync(path.join(ROOT, 'src'))) return true;
  return readText(STAMP) === sourcesHash();
}

/** To be called before the compiler: from then on until `keepStamp` nothing in `dist` counts as built. */
export function dropStamp() {
  mkdirSync(path.dirname(STAMP), { recursive: true });
  rmSync(STAMP, { force: true });
}

/** @param sources the hash from before the compiler began: a file changed meanwhile is compiled by the next build */
export function keepStamp(sources) {
  writeFileSync(STAMP, sources);
}

/** Whether the pages in `dist` were made from their sources as they are, and the types from the service as it is. */
export function arePagesBuilt() {
  if (!existsSync(path.join(ROOT, 'web'))) return true;
  return readText(PAGES_STAMP) === pagesStampFor(pagesHash());
}

/** Whether those pages would come out the same: a service may change without a change of what they are generated from. */
export function wouldPagesBeTheSame(sources) {
  return readText(PAGES_STAMP).split(' ')[0] === sources;
}

/** @param sources the hash from before the build began */
export function keepPagesStamp(sources) {
  writeFileSync(PAGES_STAMP, pagesStampFor(sources));
}

export function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const pagesStampFor = (sources) => `${sources} ${sourcesHash()}`;

function hash(files) {
  const sum = createHash('sha256');
  for (const file of files) {
    const content = readText(path.join(ROOT, file));
    sum.update(`${file}\0${content.length}\0${content}`);
  }
  return sum.digest('hex');
}
