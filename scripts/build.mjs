// npm run build: builds dist, first the service and then the dashboard's pages, as far as sources have
// changed since the last build. Only one build runs at a time. `node scripts/build.mjs service` leaves the
// pages out.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { arePagesBuilt, dropStamp, isBuilt, keepCommit, keepStamp, ROOT, sourcesHash } from './built.mjs';
import { withProcessLock } from './process-lock.mjs';

/** Loads the compiler, which is not part of an installation without `devDependencies`. */
async function compiler() {
  try {
    return await import('./compile.mjs');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'The service is not built and the compiler is not installed. Run npm install, then try again.',
    );
  }
}

async function buildService() {
  const { compile } = await compiler();
  const sources = sourcesHash();
  dropStamp();
  await compile(ROOT, path.join(ROOT, 'dist'));
  keepStamp(sources);
}

const withPages = process.argv[2] !== 'service';

/** Builds what another build has not built in the meantime. */
async function build() {
  if (!isBuilt()) await buildService();
  if (withPages && !arePagesBuilt()) await (await import('./build-pages.mjs')).buildPages();
}

try {
  if (!isBuilt() || (withPages && !arePagesBuilt())) {
    mkdirSync(path.join(ROOT, 'dist'), { recursive: true });
    await withProcessLock(path.join(ROOT, 'dist/.building'), build, Infinity);
  }
  keepCommit();
} catch (error) {
  process.stderr.write(`${error.message}
`);
  process.exitCode = 1;
}
