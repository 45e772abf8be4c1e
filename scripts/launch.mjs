// npm start and npm run shop: `node launch.mjs main` runs dist/src/main.js, after a build if the sources have
// changed. It prints nothing on standard output, which belongs to the command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { arePagesBuilt, isBuilt, ROOT } from './built.mjs';

const [program] = process.argv.splice(2, 1);
// Commands do not need the pages.
const what = program === 'main' ? [] : ['service'];
if (!isBuilt() || (program === 'main' && !arePagesBuilt())) {
  process.stderr.write('Building what has changed…\n');
  await build();
}

/** Runs a build to its end. If it fails, exits with the same code. */
async function build() {
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts/build.mjs'), ...what], {
    stdio: ['ignore', 2, 2],
  });
  const stop = (signal) => child.kill(signal);
  process.on('SIGTERM', stop).on('SIGINT', stop);
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(1);
  process.off('SIGTERM', stop).off('SIGINT', stop);
}

// Runs in this process, as if it had been named on the command line, so that a signal to this process reaches
// the service.
const entry = path.join(ROOT, `dist/src/${program}.js`);
process.argv[1] = entry;
await import(pathToFileURL(entry).href);
