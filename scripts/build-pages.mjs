import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { keepPagesStamp, pagesHash, ROOT, wouldPagesBeTheSame } from './built.mjs';
import { placesOf } from './image/shipped.mjs';

const WEB = path.join(ROOT, 'web');
const OUTPUT = path.join(ROOT, 'dist/web');
/** In bytes. Compression does not make smaller files any smaller. */
const WORTH_COMPRESSING = 1024;

/**
 * Writes a .br and a .gz file next to each file that is worth it, once instead of for each request. Uses all
 * cores, because brotli at its best level takes seconds.
 */
async function compress(folder) {
  const names = readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(names.map((name) => compressFile(path.join(folder, name))));
}

async function compressFile(file) {
  const bytes = await readFile(file);
  if (bytes.length < WORTH_COMPRESSING) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

/** Lists the modules of workers, which the result of a build does not have. */
const modulesInto = (list) => ({
  name: 'modules-of-workers',
  generateBundle(_, bundle) {
    for (const { moduleIds = [] } of Object.values(bundle)) list.push(...moduleIds);
  },
});

/**
 * Builds dist/web, unless the result would be the same: the service may have changed without a change of what
 * the pages are generated from.
 */
export async function buildPages() {
  execFileSync(process.execPath, [path.join(ROOT, 'scripts/generate.mjs')], { stdio: ['ignore', 2, 2] });
  const sources = pagesHash();
  if (!wouldPagesBeTheSame(sources)) {
    process.stderr.write('Building the pages of the dashboard and of the shop…\n');
    // Under another NODE_ENV, as tests have it, React would be the slow one for development.
    process.env.NODE_ENV = 'production';
    const { build } = await import('vite');
    // Builds into a separate folder and renames it in one step: a service that starts in the meantime sees
    // either the old files or the new ones.
    const fresh = `${OUTPUT}.${process.pid}`;
    const inWorkers = [];
    const dashboard = await build({
      configFile: path.join(WEB, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: fresh },
      worker: { format: 'es', plugins: () => [modulesInto(inWorkers)] },
    });
    const shop = await build({
      configFile: path.join(WEB, 'shop/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: path.join(fresh, 'shop') },
    });
    for (const folder of ['assets', '.', 'shop/assets']) await compress(path.join(fresh, folder));
    rmSync(OUTPUT, { recursive: true, force: true });
    renameSync(fresh, OUTPUT);
    const ofPages = [dashboard, shop]
      .flatMap(({ output }) => output)
      .flatMap(({ moduleIds = [] }) => moduleIds);
    const files = dashboard.output.flatMap(({ originalFileNames = [] }) => originalFileNames);
    const assets = files.map((file) => path.resolve(WEB, file));
    const modules = [...ofPages, ...inWorkers, ...assets];
    await writeFile(path.join(ROOT, 'dist/pages.json'), JSON.stringify(placesOf(modules)));
  }
  keepPagesStamp(sources);
}
