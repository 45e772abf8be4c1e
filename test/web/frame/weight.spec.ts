import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from '@playwright/test';

const BUILT = path.resolve(import.meta.dirname, '../../../dist/web');
const KB = 1024;

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

const manifest = () =>
  JSON.parse(readFileSync(path.join(BUILT, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** As browsers get it, which all take brotli: compressed where the build found it worth it. */
function weight(file: string): number {
  const compressed = path.join(BUILT, `${file}.br`);
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

/** The chunk of a source file: of the dashboard, not of the shop, which has words too. */
const named = (chunks: Record<string, Chunk>, ending: string) =>
  Object.keys(chunks).find((name) => name.startsWith('dashboard/') && name.endsWith(`/${ending}`))!;

/** What index.html loads for signing in. */
function signIn(chunks: Record<string, Chunk>, language: string): Set<string> {
  const html = readFileSync(path.join(BUILT, 'index.html'), 'utf8');
  const loaded = Object.keys(chunks).filter((name) => html.includes(` src="./${chunks[name].file}"`));
  const first = closure(chunks, [...loaded, named(chunks, `words/${language}.ts`)]);
  expect(first.size).toBeGreaterThan(loaded.length);
  return first;
}

test('signing in and then the orders stay light, and so does each page', () => {
  const chunks = manifest();
  const html = readFileSync(path.join(BUILT, 'index.html'), 'utf8');
  const boot = brotliCompressSync(/<script>[^]*?<\/script>/.exec(html)![0]).length;
  const pageOf = (page: string) => named(chunks, `${page}-page.tsx`);
  for (const language of ['en', 'uk']) {
    const first = signIn(chunks, language);
    expect(loadedBytes(chunks, first), language).toBeLessThan(133 * KB);
    const orders = closure(chunks, [named(chunks, 'shell/frame.tsx'), pageOf('orders')], new Set(first));
    expect(boot + loadedBytes(chunks, orders), language).toBeLessThanOrEqual(150_000);
  }
  const first = signIn(chunks, 'en');
  const styles = Object.values(chunks).filter(({ file }) => file.endsWith('.css'));
  expect(styles.map(({ file }) => html.includes(`href="./${file}"`))).toEqual([true]);
  expect(weight(styles[0].file)).toBeLessThan(20 * KB);
  // What every page of a store has, and most of them: all other words.
  const frame = closure(chunks, [named(chunks, 'shell/frame.tsx')], new Set(first));
  expect(closure(chunks, [pageOf('orders'), pageOf('order')])).not.toContain('dashboard/words/en/rest.ts');
  const words = closure(chunks, ['dashboard/words/en/rest.ts'], new Set(frame));
  expect(loadedBytes(chunks, words)).toBeLessThan(162 * KB);
  // And what lies over a page: every page fetches it once it stands, some need it to be drawn.
  const common = closure(chunks, [named(chunks, 'parts/overlays.ts')], new Set(words));
  expect(loadedBytes(chunks, common)).toBeLessThan(212 * KB);
  const pages = Object.keys(chunks).filter((name) => /-page\.tsx$/.test(name));
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) {
    const needed = closure(chunks, [page], new Set(common));
    // On a phone each file is a way to the server and back.
    expect(needed.size - common.size, page).toBeLessThan(6);
    expect(loadedBytes(chunks, needed) - loadedBytes(chunks, common), page).toBeLessThan(37 * KB);
  }
  // Those that are opened most need nothing of it.
  for (const page of ['overview', 'orders', 'order', 'product']) {
    expect(loadedBytes(chunks, closure(chunks, [pageOf(page)], new Set(words))), page).toBeLessThan(168 * KB);
  }
  for (const name of Object.keys(chunks))
    if (!first.has(name)) expect(weight(chunks[name].file), name).toBeLessThan(38 * KB);
});

test('opening a page fetches its code early, and not that of its neighbours', () => {
  const chunks = manifest();
  const html = readFileSync(path.join(BUILT, 'index.html'), 'utf8');
  const [, named] = /name="early" content='([^']+)'/.exec(html)!;
  const early = Object.entries(JSON.parse(named) as Record<string, string[]>);
  const isPage = (file: string) => /-page-[\w-]+\.js$/.test(file);
  const pages = early.map(([, files]) => files.filter(isPage)).filter((files) => files.length > 0);
  const built = Object.entries(chunks).filter(([name]) => /pages\/.*-page\.tsx$/.test(name));
  expect(pages.sort()).toEqual(built.map(([, { file }]) => [file]).sort());
  const product = early.find(([name]) => name === 'pages/products/$')![1].join();
  expect(product).toContain('product-page');
  expect(product).not.toMatch(/import|prices|papaparse|forms|overlays/);
});

test('the font is three files: the letters of both languages, and signs of currencies', () => {
  const fonts = readdirSync(path.join(BUILT, 'assets')).filter((name) => name.endsWith('.woff2'));
  const names = fonts.map((name) => name.replace(/-wght.*/, ''));
  expect(names.sort()).toEqual(['onest-currencies', 'onest-cyrillic', 'onest-latin']);
  expect(sum(fonts.map((name) => weight(`assets/${name}`)))).toBeLessThan(60_000);
});

test('the library has the styles of the components that pages use, and no others', () => {
  const modules = path.resolve(import.meta.dirname, '../../../node_modules/@mantine');
  const all = ['core', 'notifications', 'spotlight'].map((name) =>
    readFileSync(path.join(modules, name, 'styles.css'), 'utf8'),
  );
  const assets = path.join(BUILT, 'assets');
  const built = (ending: string) =>
    readdirSync(assets)
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(path.join(assets, name), 'utf8'));
  // A component of Mantine names the classes of its own stylesheet, which are made of a hash.
  const classesOf = (texts: string[]) => new Set(texts.join().match(/\bm_[0-9a-f]{6,8}\b/g));
  const styled = classesOf(all);
  const used = [...classesOf(built('.js'))].filter((name) => styled.has(name));
  expect(used.length).toBeGreaterThan(100);
  expect([...classesOf(built('.css'))].sort()).toEqual(used.sort());
});

const loadedBytes = (chunks: Record<string, Chunk>, names: Set<string>) =>
  sum([...names].map((name) => weight(chunks[name].file)));
