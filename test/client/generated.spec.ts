import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TestApp } from '../support/test-app.js';

const ROOT = path.resolve(__dirname, '../..');
const FILES = ['operations.ts', 'schema.ts'];

/** `npm run generate:client` runs this file with UPDATE_CLIENT=1, which writes what the test otherwise compares. */
describe("the client's generated files", () => {
  const kept = (file: string) => path.join(ROOT, 'packages/client/src/generated', file);

  it('are what the service says of itself', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'client-'));
    const app = await TestApp.start({ env: { BASE_URL: 'https://shop.example' } });
    const document = path.join(folder, 'openapi.json');
    writeFileSync(document, await (await fetch(`${app.url}/openapi.json`)).text());
    await app.stop();
    execFileSync(process.execPath, ['scripts/generate-client.mjs', document, folder], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    if (process.env.UPDATE_CLIENT)
      for (const file of FILES) copyFileSync(path.join(folder, file), kept(file));
    const stale = FILES.filter(
      (file) => readFileSync(path.join(folder, file), 'utf8') !== readFileSync(kept(file), 'utf8'),
    );
    rmSync(folder, { recursive: true });
    // When this fails: npm run generate:client
    expect(stale).toEqual([]);
  });

  it('compile strictly, with the client and its example', () => {
    const compile = (...options: string[]) =>
      execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options], {
        cwd: ROOT,
        stdio: 'inherit',
      });
    // The example takes the client as partners do: as it is built.
    compile('-p', 'packages/client');
    compile('-p', 'examples/erp-sync', '--noEmit');
  });
});
