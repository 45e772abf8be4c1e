// npm start and npm run shop: `node launch.mjs main` runs dist/src/main.js, built anew when the sources have changed.
// Nothing on standard output: that belongs to the command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { arePagesBuilt, isBuilt, ROOT } from './built.mjs';

const [program] = process.argv.splice(2, 1);
// Commands have no use for the pages.
const what = program === 'main' ? [] : ['service'];
if (!isBuilt() || (program === 'main' && !arePagesBuilt())) {
  process.stderr.write('Building what has changed…\n');
  await build();
}

/** Runs a build to its end; ends with it when it fails. */
async function build() {
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts/build.mjs'), ...what], { stdio: ['ignore', 2, 2] });
  const stop = (signal) => child.kill(signal);
  process.on('SIGTERM', stop).on('SIGINT', stop);
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(1);
  process.off('SIGTERM', stop).off('SIGINT', stop);
}

// In this process, so that a signal to it is a signal to the service, and as if it had been named on the command line.
const entry = path.join(ROOT, `dist/src/${program}.js`);
process.argv[1] = entry;
await import(pathToFileURL(entry).href);
