import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');
const STAMP = path.join(ROOT, 'dist/.built');
/** What the compiler wrote last; it differs when somebody compiled without `npm run build`. */
const OUTPUT = path.join(ROOT, 'dist/.tsbuildinfo');
const FOLDERS = ['src', 'migrations'];
const FILES = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json'];

/** Hash of everything that `dist` is made from. By content: a checkout may bring files that are older than the build. */
export function sourcesHash() {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))),
  );
  return hash([...inFolders, ...FILES].sort());
}

/** Whether `dist` was made from the sources as they are. An image has no sources: what it holds is what there is. */
export function isBuilt() {
  if (!existsSync(path.join(ROOT, 'src'))) return true;
  return readText(STAMP) === stampFor(sourcesHash());
}

/** To be called before the compiler: from then on until `keepStamp` nothing in `dist` counts as built. */
export function dropStamp() {
  mkdirSync(path.dirname(STAMP), { recursive: true });
  rmSync(STAMP, { force: true });
}

/** @param sources the hash from before the compiler began: a file changed meanwhile is compiled by the next build */
export function keepStamp(sources) {
  writeFileSync(STAMP, stampFor(sources));
}

export function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const stampFor = (sources) => `${sources} ${hash([path.relative(ROOT, OUTPUT)])}`;

function hash(files) {
  const sum = createHash('sha256');
  for (const file of files) {
    const content = readText(path.join(ROOT, file));
    sum.update(`${file}\0${content.length}\0${content}`);
  }
  return sum.digest('hex');
}
