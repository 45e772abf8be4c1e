import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { EXAMPLES, startWithMessenger } from '../support/examples.js';
import { eventually } from '../support/eventually.js';
import type { TestApp, TestStore } from '../support/test-app.js';
import { installTools } from '../support/tools.mjs';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');
const TOOLS = path.join(ROOT, 'node_modules/.cache/partners-tools');
const WORK = path.join(TOOLS, 'work');
const KUBB = '4.39.3';
const PACKAGES = [
  // Prism needs a newer Node than the service.
  'node@24.21.0',
  'typescript@5.9.3',
  '@types/node@24.19.2',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'zod@4.6.7',
  ...['cli', 'core', 'plugin-client', 'plugin-oas', 'plugin-ts', 'plugin-zod'].map(
    (name) => `@kubb/${name}@${KUBB}`,
  ),
  'newman@6.2.2',
  '@stoplight/prism-cli@5.16.0',
];

const STRICT = {
  ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'] },
  ...{ module: 'esnext', moduleResolution: 'bundler', strict: true, noUncheckedIndexedAccess: true },
  ...{ noImplicitOverride: true, noFallthroughCasesInSwitch: true, noEmit: true, skipLibCheck: true },
  allowImportingTsExtensions: true,
};

interface Generator {
  /** A program of the tools, with its options. */
  command: [string, ...string[]];
  /** A file beside the document. */
  config?: [name: string, text: string];
  /** Makes four calls with the generated code, and reports as REPORT says. */
  program: string;
}

/** The slug of a new brand, the store's currency, the lines of its order, and why a call is refused. */
const REPORT = ['leaf', 'USD', 2, 'not_found'];
const ENV = 'const { SHOP_URL, SHOP_TOKEN } = process.env as Record<string, string>;';

const GENERATORS: Record<string, Generator> = {
  'openapi-typescript, with openapi-fetch': {
    command: ['openapi-typescript', 'openapi.json', '--output', 'schema.ts'],
    program: `
      import createClient from 'openapi-fetch';
      import type { paths } from './schema';
      ${ENV}
      const headers = { Authorization: \`Bearer \${SHOP_TOKEN}\` };
      const client = createClient<paths>({ baseUrl: SHOP_URL, headers });
      const brand = await client.POST('/v1/create_brand', { body: { name: 'Leaf', slug: 'leaf' } });
      const settings = await client.POST('/v1/get_settings');
      const orders = await client.POST('/v1/list_orders', { body: { take: 1, status: 'PENDING' } });
      const missing = await client.POST('/v1/get_order', { body: { orderId: 999_999_999 } });
      const slug: string | undefined = brand.data?.data.slug;
      const lines: number | undefined = orders.data?.data.items[0]?.items.length;
      report(slug, settings.data?.data.currency, lines, missing.error?.error.code);
    `,
  },
  'hey-api': {
    command: ['openapi-ts', '--input', 'openapi.json', '--output', 'sdk'],
    program: `
      import { createBrand, getOrder, getSettings, listOrders } from './sdk';
      import { client } from './sdk/client.gen';
      ${ENV}
      client.setConfig({ baseUrl: SHOP_URL, auth: () => SHOP_TOKEN });
      const brand = await createBrand({ body: { name: 'Leaf', slug: 'leaf' } });
      const settings = await getSettings();
      const orders = await listOrders({ body: { take: 1, status: 'PENDING' } });
      const missing = await getOrder({ body: { orderId: 999_999_999 } });
      const slug: string | undefined = brand.data?.data.slug;
      const lines: number | undefined = orders.data?.data.items[0]?.items.length;
      report(slug, settings.data?.data.currency, lines, missing.error?.error.code);
    `,
  },
  'orval, with zod': {
    command: ['orval', '--config', 'orval.config.mjs'],
    config: [
      'orval.config.mjs',
      `const input = './openapi.json';
      const fetching = { client: 'fetch', baseUrl: { runtime: 'process.env.SHOP_URL' } };
      export default {
        client: { input, output: { ...fetching, target: './client.ts', schemas: './models' } },
        zod: { input, output: { client: 'zod', target: './zod.ts' } },
      };`,
    ],
    program: `
      import { createBrand, getOrder, getSettings, listOrders } from './client';
      import { CreateBrandBody, GetOrderBody, GetSettingsResponse, ListOrdersResponse } from './zod';
      ${ENV}
      const options = { headers: { Authorization: \`Bearer \${SHOP_TOKEN}\` } };
      const brand = await createBrand(CreateBrandBody.parse({ name: 'Leaf', slug: 'leaf' }), options);
      const settings = await getSettings(undefined, options);
      const orders = await listOrders({ take: 1, status: 'PENDING' }, options);
      const missing = await getOrder(GetOrderBody.parse({ orderId: 999_999_999 }), options);
      const slug = brand.status === 200 && brand.data.data.slug;
      const lines = ListOrdersResponse.parse(orders.data).data.items[0]?.items.length;
      const { currency } = GetSettingsResponse.parse(settings.data).data;
      report(slug, currency, lines, missing.status === 404 && missing.data.error.code);
    `,
  },
  'kubb, with zod': {
    command: ['kubb', 'generate', '--config', 'kubb.config.mjs'],
    config: [
      'kubb.config.mjs',
      `import { defineConfig } from '@kubb/core';
      import { pluginClient } from '@kubb/plugin-client';
      import { pluginOas } from '@kubb/plugin-oas';
      import { pluginTs } from '@kubb/plugin-ts';
      import { pluginZod } from '@kubb/plugin-zod';
      export default defineConfig({
        input: { path: './openapi.json' },
        output: { path: './gen', format: false, lint: false },
        plugins: [
          pluginOas(), pluginTs(), pluginZod({ version: '4' }),
          pluginClient({ client: 'fetch', dataReturnType: 'full' }),
        ],
      });`,
    ],
    program: `
      import { setConfig } from '@kubb/plugin-client/clients/fetch';
      import {
        createBrand, getOrder, getOrder404Schema, getSettings, getSettings200Schema, listOrders,
        listOrders200Schema,
      } from './gen';
      ${ENV}
      const headers = { Authorization: \`Bearer \${SHOP_TOKEN}\`, 'Content-Type': 'application/json' };
      setConfig({ baseURL: SHOP_URL, headers });
      const brand = await createBrand({ name: 'Leaf', slug: 'leaf' });
      const settings = getSettings200Schema.parse((await getSettings()).data);
      const orders = listOrders200Schema.parse((await listOrders({ take: 1, status: 'PENDING' })).data);
      const missing = getOrder404Schema.parse((await getOrder({ orderId: 999_999_999 })).data);
      const slug: string = brand.data.data.slug;
      report(slug, settings.data.currency, orders.data.items[0]?.items.length, missing.error.code);
    `,
  },
};

describe('what partners make of the document', () => {
  let app: TestApp;
  let stop: () => Promise<void>;
  let store: TestStore;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    installTools(TOOLS, PACKAGES);
    rmSync(WORK, { recursive: true, force: true });
    mkdirSync(WORK);
    ({ app, stop } = await startWithMessenger());
  }, 600_000);
  afterAll(() => stop());
  beforeEach(async () => {
    store = await app.store();
    env = { ...process.env, SHOP_URL: app.url, SHOP_TOKEN: store.tokens.admin };
  });

  /** A new folder with the file that the service serves. */
  const folderWith = async (file: string): Promise<string> => {
    const folder = path.join(WORK, `${Math.random()}`.slice(2));
    mkdirSync(folder);
    writeFileSync(path.join(folder, file), await (await fetch(`${app.url}/${file}`)).text());
    return folder;
  };
  const node = path.join(TOOLS, 'node_modules/.bin/node');
  /** Runs a program of the tools to its end, by the Node among them. @returns what it printed */
  const tool = async ([program, ...options]: [string, ...string[]], folder: string) => {
    const file = path.join(TOOLS, 'node_modules/.bin', program);
    const { stdout } = await run(node, [file, ...options], { cwd: folder, env, maxBuffer: 10_000_000 });
    return stdout;
  };

  it.each(Object.keys(GENERATORS))(
    'the client that %s generates compiles strictly and calls the service',
    async (name) => {
      const { command, config, program } = GENERATORS[name];
      const folder = await folderWith('openapi.json');
      if (config) writeFileSync(path.join(folder, config[0]), config[1]);
      await tool(command, folder);
      const report = 'function report(...told: unknown[]) { console.log(JSON.stringify(told)); }';
      writeFileSync(path.join(folder, 'program.ts'), `${program}\n${report}\n`);
      writeFileSync(
        path.join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: STRICT, include: ['**/*.ts'] }),
      );
      await tool(['tsc', '-p', '.'], folder);

      const { productId } = await store.product();
      const lines = [1, 2].map((quantity) => ({ productId, quantity }));
      await store.place({ items: lines });
      const bundle = await rolldown({ input: 'program.ts', cwd: folder, platform: 'node' });
      await bundle.write({ file: path.join(folder, 'program.mjs') });
      const { stdout } = await run(node, ['program.mjs'], { cwd: folder, env });
      expect(JSON.parse(stdout)).toEqual(REPORT);
    },
    300_000,
  );

  it('newman runs every request of the Postman collection', async () => {
    const folder = await folderWith('postman.json');
    const variables = [`baseUrl=${app.url}`, `token=${store.tokens.admin}`];
    const options = variables.flatMap((variable) => ['--env-var', variable]);
    const reporter = ['--reporters', 'json', '--reporter-json-export', 'report.json'];
    await tool(['newman', 'run', 'postman.json', ...options, ...reporter], folder);
    const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')).run;
    expect(report.failures).toEqual([]);
    const codes = new Map<string, number>(
      report.executions.map(({ item, response }: any) => [item.name, response.code]),
    );
    expect([...codes.keys()].sort()).toEqual(Object.keys(EXAMPLES).sort());
    // The ids of the examples are made up.
    const others = [...codes].filter(([, code]) => ![200, 400, 404].includes(code));
    expect(others).toEqual([]);
    expect(codes.get('create_brand')).toBe(200);
  }, 300_000);

  it('Prism, which checks both sides, lets every call and answer pass', async () => {
    const folder = await folderWith('openapi.json');
    const port = await freePort();
    const options = ['proxy', 'openapi.json', app.url, '--errors', '--port', String(port)];
    const prism = spawn(node, [path.join(TOOLS, 'node_modules/.bin/prism'), ...options], { cwd: folder });
    const post = async (name: string, input: object) => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/${name}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${store.tokens.admin}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(input),
      });
      return { name, status: response.status, body: (await response.json()) as object };
    };
    try {
      const answers = () =>
        post('get_settings', {}).then(
          ({ status }) => status === 200,
          () => false,
        );
      await eventually('Prism is ready', answers);
      const refused = [];
      for (const [name, example] of Object.entries(EXAMPLES)) {
        const answer = await post(name, await example(store));
        if (answer.status !== 200) refused.push(answer);
      }
      expect(refused).toEqual([]);
      expect(await post('get_order', { orderId: 999_999_999 })).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      });
      // What the document refuses is refused by Prism itself.
      expect(await post('get_order', { orderId: 'first' })).toMatchObject({
        body: { type: expect.stringContaining('prism') },
      });
    } finally {
      prism.kill();
    }
  }, 300_000);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
