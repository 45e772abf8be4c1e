import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GROUPS, READS } from '../../packages/client/src/generated/operations.js';
import { TestApp } from '../support/test-app.js';

const ROOT = path.resolve(__dirname, '../..');

const SOURCES = ['packages/client', 'examples/erp-sync', 'examples/storefront'];

const run = (program: string, ...options: string[]) =>
  execFileSync(process.execPath, [`node_modules/${program}`, ...options], { cwd: ROOT, encoding: 'utf8' });

/** `npm run build` makes them from the declarations of the compiled service. */
describe("the client's generated files", () => {
  it('are what a running service says of itself', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'client-'));
    const app = await TestApp.start({ env: { BASE_URL: 'https://shop.example' } });
    const text = await (await fetch(`${app.url}/openapi.json`)).text();
    await app.stop();
    const document = path.join(folder, 'openapi.json');
    writeFileSync(document, text);
    const output = path.join(folder, 'schema.ts');
    run('openapi-typescript/bin/cli.js', document, '--output', output);
    const types = (file: string) => readFileSync(file, 'utf8').replace(/^[^]*?(?=export interface)/, '');
    expect(types(path.join(ROOT, 'packages/client/src/generated/schema.ts'))).toBe(types(output));
    rmSync(folder, { recursive: true });

    const { paths } = JSON.parse(text) as {
      paths: Record<string, { post: { operationId: string; 'x-scope': string } }>;
    };
    const operations = Object.values(paths).map(({ post }) => post);
    const methods = Object.values(GROUPS).flatMap((group) => Object.values(group) as string[]);
    expect(methods.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    const reads = operations.filter((operation) => operation['x-scope'] === 'read');
    expect([...READS].sort()).toEqual(reads.map(({ operationId }) => operationId).sort());
  });

  it('compile strictly with the client and its example, and are in its package', () => {
    // In copies, because another test builds and runs the client at the same time where it is.
    const folder = mkdtempSync(path.join(tmpdir(), 'client-'));
    const [client, ...examples] = SOURCES.map((name) => {
      const copy = path.join(folder, name);
      const isSource = (file: string) => path.basename(file) !== 'dist';
      cpSync(path.join(ROOT, name), copy, { recursive: true, filter: isSource });
      return copy;
    });
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(path.join(ROOT, 'node_modules/@types'), path.join(folder, 'node_modules/@types'));
    symlinkSync(client, path.join(folder, 'node_modules/chat-shop-client'));
    // The example takes the client as partners do: as it is built.
    run('typescript/bin/tsc', '-p', client);
    for (const example of examples) run('typescript/bin/tsc', '-p', example, '--noEmit');
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: client, encoding: 'utf8' });
    for (const file of ['client.js', 'client.d.ts', 'webhooks.js', 'storefront.js', 'generated/schema.d.ts'])
      expect(packed).toContain(`"dist/${file}"`);
    rmSync(folder, { recursive: true });
  });
});
