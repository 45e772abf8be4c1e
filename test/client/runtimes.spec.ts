import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Miniflare } from 'miniflare';
import puppeteer from 'puppeteer-core';
import { rolldown } from 'rolldown';
import { headlessBrowser } from '../support/servers/chromium.js';
import { TestApp, type TestStore } from '../support/test-app.js';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');
const CLIENT = path.join(ROOT, 'packages/client');

/** What a partner's program does first: it takes a page of orders and reads why a call is refused. */
const PROGRAM = `
  const client = createClient({ baseUrl: env.SHOP_URL, token: env.SHOP_TOKEN, retries: 0 });
  const { items } = await client.orders.list({ take: 1 });
  const refusal = await client.orders.get({ orderId: 999999 }).catch((error) => error.code);
  const text = JSON.stringify([items.length, refusal]);
`;
const RESULT = '[0,"not_found"]';

describe('the built client', () => {
  let app: TestApp;
  let store: TestStore;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    await run('npm', ['run', '--silent', 'build', '-w', 'packages/client'], { cwd: ROOT });
    app = await TestApp.start();
    store = await app.store();
    env = { ...process.env, SHOP_URL: app.url, SHOP_TOKEN: store.tokens.read };
    folder = mkdtempSync(path.join(tmpdir(), 'partner-'));
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(CLIENT, path.join(folder, 'node_modules/chat-shop-client'));
    symlinkSync(path.join(ROOT, 'node_modules/@types'), path.join(folder, 'node_modules/@types'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await app.stop();
  });

  /** Runs a program of Node in the partner's folder. @returns what it printed */
  const node = async (file: string, text: string, ...options: string[]) => {
    writeFileSync(path.join(folder, file), text);
    const { stdout } = await run(process.execPath, [...options, file], { cwd: folder, env });
    return stdout.trim();
  };
  /** The client and the program in one file, as a partner's bundler makes it. */
  const bundled = async (text: string) => {
    const entry = path.join(folder, 'entry.mjs');
    writeFileSync(entry, text);
    const bundle = await rolldown({ input: entry, platform: 'browser', cwd: folder });
    const { output } = await bundle.generate({ format: 'esm' });
    return output[0].code;
  };

  it('runs as an ES module and as a CommonJS module of Node', async () => {
    const report = `${PROGRAM} console.log(text);`;
    const imported = `import { createClient } from 'chat-shop-client';\nconst { env } = process;\n${report}`;
    expect(await node('program.mjs', imported)).toBe(RESULT);
    const required =
      `const { createClient } = require('chat-shop-client');\nconst { env } = process;\n` +
      `(async () => { ${report} })();`;
    expect(await node('program.cjs', required, '--no-experimental-require-module')).toBe(RESULT);
    const webhooks = `console.log(typeof require('chat-shop-client/webhooks').verifyWebhook)`;
    expect(await node('webhooks.cjs', webhooks, '--no-experimental-require-module')).toBe('function');
  });

  it("runs in a partner's Jest, which loads CommonJS modules", async () => {
    const test =
      `const { createClient } = require('chat-shop-client');\nconst { env } = process;\n` +
      `test('orders', async () => { ${PROGRAM} expect(text).toBe('${RESULT}'); });`;
    writeFileSync(path.join(folder, 'orders.test.js'), test);
    writeFileSync(path.join(folder, 'package.json'), '{}');
    const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
    const options = ['--rootDir', folder, '--testEnvironment', 'node', '--modulePaths', 'node_modules'];
    await run(process.execPath, [jest, ...options], { cwd: folder, env });
    rmSync(path.join(folder, 'package.json'));
  });

  it.each([
    ['nodenext', ['program.mts', 'program.cts'], {}],
    ['bundler', ['program.ts'], { module: 'esnext' }],
    ['node10', ['program.ts'], { module: 'commonjs', ignoreDeprecations: '6.0' }],
  ])(
    'compiles with moduleResolution %s, as %j, as strictly as TypeScript can',
    async (moduleResolution, files, more) => {
      const readme = readFileSync(path.join(CLIENT, 'README.md'), 'utf8');
      const [first] = /(?<=```ts\n)[^]*?(?=```)/.exec(readme)!;
      const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, text]) => text);
      const imports = blocks.flatMap((text) => text.match(/^import .*$/gm) ?? []);
      const body = blocks.map(
        (text) => `{\n${text.replace(/^import .*$/gm, '').replaceAll(/^const client = .*$/gm, '')}}`,
      );
      const program = [
        ...imports,
        'declare const rawBody: Uint8Array, request: Request;',
        'declare function load(): Promise<string | undefined>;',
        'declare function save(cursor: string): Promise<void>;',
        'declare function handle(...event: unknown[]): Promise<void>;',
        /^const client = .*$/m.exec(first)![0].replace(/^/, 'export '),
        `export async function program() {\n${body.join('\n')}\n}`,
      ].join('\n');
      for (const file of files) writeFileSync(path.join(folder, file), program);
      const compilerOptions = {
        ...{ module: 'nodenext', moduleResolution, target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] },
        ...{
          types: ['node'],
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
        },
        ...{ noEmit: true, skipLibCheck: false, ...more },
      };
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
      await run(process.execPath, [tsc, '-p', folder]);
    },
    120_000,
  );

  it('runs in workerd', async () => {
    const script = await bundled(
      `import { createClient } from 'chat-shop-client';
       export default { async fetch(request, env) { ${PROGRAM} return new Response(text); } };`,
    );
    const bindings = { SHOP_URL: app.url, SHOP_TOKEN: store.tokens.read };
    const compatibilityDate = '2025-06-01';
    const worker = new Miniflare({ modules: true, script, bindings, compatibilityDate, cf: false });
    try {
      expect(await (await worker.dispatchFetch('http://worker.example/')).text()).toBe(RESULT);
    } finally {
      await worker.dispose();
    }
  });

  it('runs in a page of another origin', async () => {
    const bindings = JSON.stringify({ SHOP_URL: app.url, SHOP_TOKEN: store.tokens.read });
    const script = await bundled(
      `import { createClient } from 'chat-shop-client';
       const env = ${bindings};
       const show = (text) => (document.title = String(text));
       (async () => { ${PROGRAM} show(text); })().catch(show);`,
    );
    const site = createServer((request, response) => {
      const isScript = request.url === '/client.js';
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : '<title></title><script type="module" src="/client.js"></script>');
    });
    const { executablePath, args } = headlessBrowser();
    const browser = await puppeteer.launch({
      executablePath,
      args: [...args, '--disable-quic', '--disable-background-networking', '--no-first-run'],
    });
    try {
      const page = await browser.newPage();
      await page.goto(await listening(site));
      await page.waitForFunction('document.title !== ""');
      expect(await page.title()).toBe(RESULT);
    } finally {
      await browser.close();
      site.closeAllConnections();
      site.close();
    }
  });
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
