import { execFileSync } from 'node:child_process';
import Module from 'node:module';
import path from 'node:path';

type Resolve = (request: string, ...rest: unknown[]) => string;

const ROOT = path.resolve(__dirname, '../..');

/**
 * Resolves `./x.js` to TypeScript files by hand, because the global setup does not use the tests' own
 * runtime.
 */
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
  // Builds only what has changed, so that running jest directly also tests the present sources.
  execFileSync(process.execPath, [path.join(ROOT, 'scripts/build.mjs'), 'service'], { stdio: 'inherit' });
  await resolveTypeScript();
  const { startTestDatabase } = await import('./test-database.js');
  await startTestDatabase();
}
