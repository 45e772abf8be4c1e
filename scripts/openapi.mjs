// npm run openapi [-- folder]: writes the service's three OpenAPI documents to files and checks them with the
// rules of redocly.yaml.
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

const files = await writeDocuments(
  path.resolve(process.argv[2] ?? path.join(ROOT, 'node_modules/.cache/openapi')),
);
const { status } = spawnSync(
  path.join(ROOT, 'node_modules/.bin/redocly'),
  ['lint', '--config', path.join(ROOT, 'redocly.yaml'), ...files],
  {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
