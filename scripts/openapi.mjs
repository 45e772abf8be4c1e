// npm run openapi [-- folder]: writes the service's three OpenAPI documents to files and checks them with two
// linters. The linters' rules are in redocly.yaml and .spectral.yaml. A warning counts as a failure.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startService, stop, withDatabase } from '../bench/service.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const DOCUMENTS = {
  operations: 'openapi.json',
  dashboard: 'dashboard/openapi.json',
  storefront: 'storefront/openapi.json',
};

/** @returns the paths of the files */
async function writeDocuments(folder) {
  mkdirSync(folder, { recursive: true });
  return withDatabase(async (database) => {
    const { child, port } = await startService(database, {
      BASE_URL: 'https://shop.example',
      NODE_ENV: 'test',
    });
    try {
      return await Promise.all(
        Object.entries(DOCUMENTS).map(async ([name, address]) => {
          const response = await fetch(`http://127.0.0.1:${port}/${address}`);
          if (!response.ok) throw new Error(`/${address} answers ${response.status}`);
          const file = path.join(folder, `${name}.json`);
          writeFileSync(file, `${JSON.stringify(await response.json(), null, 2)}\n`);
          return file;
        }),
      );
    } finally {
      await stop(child);
    }
  });
}

/** @returns whether the linter found nothing */
function judge(linter, args) {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const binary = path.join(ROOT, 'node_modules/.bin', linter);
  const { status, stdout, stderr } = spawnSync(binary, args, { cwd: ROOT, env, encoding: 'utf8' });
  // Redocly exits with 0 if there are only warnings.
  const clean = status === 0 && !/You have \d+ warning/.test(stderr + stdout);
  process.stdout.write(clean ? `${linter}: nothing to report\n` : `${linter}:\n${stdout}${stderr}`);
  return clean;
}

const files = await writeDocuments(
  path.resolve(process.argv[2] ?? path.join(ROOT, 'node_modules/.cache/openapi')),
);
const results = [
  judge('redocly', ['lint', '--config', 'redocly.yaml', ...files]),
  judge('spectral', ['lint', '--ruleset', '.spectral.yaml', '--fail-severity', 'hint', ...files]),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
