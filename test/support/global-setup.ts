import { execFileSync } from 'node:child_process';
import Module from 'node:module';
import path from 'node:path';

type Resolve = (request: string, ...rest: unknown[]) => string;

const ROOT = path.resolve(__dirname, '../..');

/** Files have the runtime of the tests, which is not there for their global setup; here `./x.js` is found for it by hand. */
async function resolveTypeScript(): Promise<void> {
  const { asShipped } = await import('../runner/as-shipped.mjs');
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (this: unknown, request, ...rest) {
    try {
      return resolve.call(this, request, ...rest);
    } catch (error) {
      if (!/^\.{1,2}\/.*\.js$/.test(request)) throw error;
      const file = resolve.call(this, request.replace(/\.js$/, '.ts'), ...rest);
      return asShipped(file) ?? file;
    }
  };
}

export default async function setup(): Promise<void> {
  // Nothing to do after `npm run build`; whoever starts jest by itself tests the sources as they are, too.
  execFileSync(process.execPath, [path.join(ROOT, 'scripts/build.mjs'), 'service'], { stdio: 'inherit' });
  await resolveTypeScript();
  const { startTestDatabase } = await import('./test-database.js');
  await startTestDatabase();
}
