import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { keepPagesStamp, pagesHash, ROOT, wouldPagesBeTheSame } from '../scripts/built.mjs';

const OUTPUT = path.join(ROOT, 'dist/web');
/** Smaller files do not get smaller. */
const WORTH_COMPRESSING = 1024;

/** Beside every file worth it: .br and .gz, made once and not for each request. */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const file = path.join(folder, name);
    const bytes = readFileSync(file);
    if (bytes.length < WORTH_COMPRESSING) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** Makes dist/web, unless it would come out the same: the service has changed, and not what the pages are generated from. */
export async function buildPages() {
  execFileSync(process.execPath, [path.join(import.meta.dirname, 'generate.mjs')], { stdio: ['ignore', 2, 2] });
  const sources = pagesHash();
  if (!wouldPagesBeTheSame(sources)) {
    process.stderr.write('Building the pages of the dashboard…\n');
    const { build } = await import('vite');
    // Into a folder of its own, then in one step: a service that starts meanwhile has the old files or the new ones.
    const fresh = `${OUTPUT}.${process.pid}`;
    await build({ configFile: path.join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn', build: { outDir: fresh } });
    compress(path.join(fresh, 'assets'));
    rmSync(OUTPUT, { recursive: true, force: true });
    renameSync(fresh, OUTPUT);
  }
  keepPagesStamp(sources);
}
