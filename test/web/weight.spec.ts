import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';

const BUILT = path.resolve(import.meta.dirname, '../../dist/web');
const KB = 1024;

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
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
  const entry = Object.keys(chunks).find((name) => chunks[name].isEntry)!;
  const words = Object.keys(chunks).find((name) => name.endsWith('words/en.ts'))!;
  const first = closure(chunks, [entry, words]);
  expect(sum([...first].map((name) => weight(chunks[name].file)))).toBeLessThan(250 * KB);
  expect(sum([...first].flatMap((name) => chunks[name].css ?? []).map(weight))).toBeLessThan(40 * KB);
  for (const [name, { file }] of Object.entries(chunks)) {
    if (first.has(name)) continue;
    const limit = /recharts|plot|charts/i.test(name) ? 130 : 40;
    expect([name, Math.round(weight(file) / KB)]).toEqual([name, expect.any(Number)]);
    expect(weight(file), name).toBeLessThan(limit * KB);
  }
});
