// npm start and npm run shop: `node launch.mjs main` runs dist/src/main.js, built anew when the sources have changed.
// Nothing on standard output: that belongs to the command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuilt, ROOT } from './built.mjs';

if (!isBuilt()) {
  process.stderr.write('Building what has changed…\n');
  const build = spawn(process.execPath, [path.join(import.meta.dirname, 'build.mjs')], { stdio: ['ignore', 2, 2] });
  const stop = (signal) => build.kill(signal);
  process.on('SIGTERM', stop).on('SIGINT', stop);
  const [code] = await once(build, 'exit');
  if (code !== 0) process.exit(1);
  process.off('SIGTERM', stop).off('SIGINT', stop);
}

// In this process, so that a signal to it is a signal to the service, and as if it had been named on the command line.
const entry = path.join(ROOT, `dist/src/${process.argv.splice(2, 1)[0]}.js`);
process.argv[1] = entry;
await import(pathToFileURL(entry).href);
