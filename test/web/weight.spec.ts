import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';

const BUILT = path.resolve(import.meta.dirname, '../../dist/web');
const KB = 1024;

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

const manifest = () => JSON.parse(readFileSync(path.join(BUILT, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** As browsers get it: compressed where the build found it worth it. */
function weight(file: string): number {
  const compressed = path.join(BUILT, `${file}.gz`);
  return statSync(existsSync(compressed) ? compressed : path.join(BUILT, file)).size;
}

/** A chunk and everything that it cannot run without. */
function closure(chunks: Record<string, Chunk>, names: string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    closure(chunks, chunks[name].imports ?? [], seen);
  }
  return seen;
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

test('the first load stays light, and so does each page', () => {
  const chunks = manifest();
  const html = readFileSync(path.join(BUILT, 'index.html'), 'utf8');
  const loaded = Object.keys(chunks).filter((name) => html.includes(`class="application" href="./${chunks[name].file}"`));
  const named = (ending: string) => Object.keys(chunks).find((name) => name.endsWith(ending))!;
  const first = closure(chunks, [...loaded, named('words/en.ts')]);
  expect(first.size).toBeGreaterThan(loaded.length);
  expect(loadedBytes(chunks, first)).toBeLessThan(210 * KB);
  const styles = Object.values(chunks).filter(({ file }) => file.endsWith('.css'));
  expect(styles.map(({ file }) => html.includes(`href="./${file}"`))).toEqual([true]);
  expect(weight(styles[0].file)).toBeLessThan(40 * KB);
  // What every page of a store has, the page itself, and all that it shares with others.
  const frame = closure(chunks, [named('shell/frame.tsx')], new Set(first));
  expect(loadedBytes(chunks, frame)).toBeLessThan(250 * KB);
  const pages = Object.keys(chunks).filter((name) => /-page\.tsx$/.test(name));
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) {
    const needed = closure(chunks, [page], new Set(frame));
    // On a phone each file is a way to the server and back.
    expect(needed.size, page).toBeLessThan(14);
    expect(loadedBytes(chunks, needed) - loadedBytes(chunks, frame), page).toBeLessThan(40 * KB);
  }
  for (const name of Object.keys(chunks)) if (!first.has(name)) expect(weight(chunks[name].file), name).toBeLessThan(40 * KB);
});

const loadedBytes = (chunks: Record<string, Chunk>, names: Set<string>) =>
  sum([...names].map((name) => weight(chunks[name].file)));
