import Module from 'node:module';

type Resolve = (request: string, ...rest: unknown[]) => string;

/** Jest maps `./x.js` to `./x.ts` in tests, not in its global setup; here it is done by hand. */
function resolveTypeScript(): void {
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (this: unknown, request, ...rest) {
    try {
      return resolve.call(this, request, ...rest);
    } catch (error) {
      if (!/^\.{1,2}\/.*\.js$/.test(request)) throw error;
      return resolve.call(this, request.replace(/\.js$/, '.ts'), ...rest);
    }
  };
}

export default async function setup(): Promise<void> {
  resolveTypeScript();
  const { startTestDatabase } = await import('./test-database.js');
  await startTestDatabase();
}
