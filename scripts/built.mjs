import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');
const STAMP = path.join(ROOT, 'dist/.built');
const PROGRAM = path.join(ROOT, 'dist/src/main.js');
/** Inside the folder of the pages, so that it is deleted with them. */
const PAGES_STAMP = path.join(ROOT, 'dist/web/.built');
const FOLDERS = ['src', 'migrations'];
const FILES = [
  ...['compile.mjs', 'image/shipped.mjs', 'process-lock.mjs', 'swc.json'].map((name) => `scripts/${name}`),
  'package-lock.json',
];

/**
 * The hash of all sources of `dist`. It uses contents and not times, because a checkout may bring files that
 * are older than the build.
 */
export function sourcesHash() {
  return hash([...FOLDERS.flatMap(filesOf), ...FILES].sort());
}

/** The hash of all sources of the dashboard's pages, and of all files that are generated from the service. */
export function pagesHash() {
  const clients = [
    'packages/client/src/generated/operations.ts',
    'packages/client/src/generated/schema.ts',
    'packages/client-python/src/chat_shop_client/generated/__init__.py',
  ];
  const own = ['scripts/build-pages.mjs', 'package-lock.json'];
  return hash([...filesOf('web'), ...filesOf('packages/import/src'), ...clients, ...own].sort());
}

const filesOf = (folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));

/**
 * Whether `dist` was built from the current sources. An image has no sources, so there it always counts as
 * built.
 */
export function isBuilt() {
  if (!existsSync(path.join(ROOT, 'src'))) return true;
  return readText(STAMP) === stampFor(sourcesHash());
}

/**
 * Writes the present commit to `dist/commit`: the one that the variable COMMIT names, for a build without a
 * repository, or that of the repository; else `unknown`.
 */
export function keepCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  const commit = process.env.COMMIT || (status === 0 ? stdout.trim() : 'unknown');
  const file = path.join(ROOT, 'dist/commit');
  if (readText(file) !== commit) writeFileSync(file, commit);
}

/** Call this before compiling. From then until `keepStamp`, `dist` does not count as built. */
export function dropStamp() {
  mkdirSync(path.dirname(STAMP), { recursive: true });
  rmSync(STAMP, { force: true });
}

/**
 * @param sources the hash from before compiling began, so that the next build compiles a file that changed in
 * the meantime
 */
export function keepStamp(sources) {
  writeFileSync(STAMP, stampFor(sources));
}

/**
 * Whether the pages in `dist` were built from their current sources, and their types from the current
 * service.
 */
export function arePagesBuilt() {
  if (!existsSync(path.join(ROOT, 'web'))) return true;
  return readText(PAGES_STAMP) === pagesStampFor(pagesHash());
}

/**
 * Whether a build of the pages would give the same result. The service may change without a change of what
 * they are generated from.
 */
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

/** The size of the bundle too, because `nest build` puts a small file in its place. */
const stampFor = (sources) => `${sources} ${statSync(PROGRAM, { throwIfNoEntry: false })?.size}`;

const pagesStampFor = (sources) => `${sources} ${sourcesHash()}`;

function hash(files) {
  const sum = createHash('sha256');
  for (const file of files) {
    const content = readText(path.join(ROOT, file));
    sum.update(`${file}\0${content.length}\0${content}`);
  }
  return sum.digest('hex');
}
