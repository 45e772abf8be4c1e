import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { useShop } from '../../support/test-app.js';

type Json = any;

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../../..');
const program = (name: string) => path.join(ROOT, 'node_modules/.bin', name);

/**
 * An operation costs its path (20 lines), its parameters, body and eight answers (25), four headers of each
 * kind of data (4), and its share of the named schemas.
 */
const LINES_PER_OPERATION = 95;

/** What an integrator writes by hand. Each marked line is a mistake that the types have to find. */
const BY_HAND = `
import type { components, operations } from './shop.js';
type S = components['schemas'];
declare const order: S['Order'];
declare const product: S['Product'];
declare const monetization: S['Monetization'];
export const read = [
  order.items[0]!.variantValue,
  order.shippingAddress?.name,
  order.shippingAddress?.['any other key'],
  order.checkoutData?.[0]!.value,
  product.variants[0]!.values[0]!.salePrice,
  monetization.cashback.levels[0]!.levelName,
];
export const written: S['CreateProductInput'] = {
  productId: 'p', title: 't', description: '', images: ['https://a.example/'], price: 1,
  variants: [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 1 }] }],
};
written.variants![0]!.values[0]!.itemAmount = 3;
export const metadata: S['CreatePaymentProviderInput']['metadata'] = { merchantId: 'M', 'any other key': 1 };
// @ts-expect-error an order line has no such field
order.items[0]!.colour;
type StatusInput = operations['set_order_status']['requestBody']['content']['application/json'];
// @ts-expect-error a status is one of five
export const status: StatusInput = { orderId: 1, status: 'GONE' };
// @ts-expect-error a value needs a price
export const value: S['VariantValueInput'] = { variantValue: 'M' };
`;

/**
 * Reads every field of every named schema, and writes every example of the document as what it is an example
 * of.
 */
function everything({ paths, components }: Json): string {
  const reads = Object.entries<Json>(components.schemas).flatMap(([name, { properties }]) =>
    Object.keys(properties).map((field) => `(v: S['${name}']) => v['${field}'];`),
  );
  const writes = Object.values<Json>(paths).flatMap(({ post: { operationId, requestBody } }) =>
    requestBody
      ? `const ${operationId}:
          NonNullable<O['${operationId}']['requestBody']>['content']['application/json'] =
          ${exampleOf(requestBody)};`
      : [],
  );
  const answers = Object.entries<Json>(components.responses).map(
    ([name, answer]) =>
      `const answer${name}: R['${name}']['content']['application/json'] = ${exampleOf(answer)};`,
  );
  const imports = "import type { components, operations } from './shop.js';";
  const aliases = "type S = components['schemas']; type R = components['responses']; type O = operations;";
  // Each read is a statement of its own: the type of a list of all is too much for the compiler.
  return [imports, aliases, ...reads, ...writes, ...answers].join('\n');
}

const exampleOf = ({ content }: Json) => JSON.stringify(content['application/json'].examples.example.value);

describe('the types that openapi-typescript makes of the document', () => {
  let folder: string;
  let document: Json;

  const app = useShop();
  beforeAll(async () => {
    document = await (await fetch(`${app.url}/openapi.json`)).json();
    folder = mkdtempSync(path.join(tmpdir(), 'shop-types-'));
    const file = path.join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    // In a folder of its own: the rules of the repository's redocly.yaml are for published documents.
    await run(program('openapi-typescript'), [file, '--output', 'shop.ts'], { cwd: folder });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('are few enough to be read', () => {
    const lines = readFileSync(path.join(folder, 'shop.ts'), 'utf8').split('\n').length;
    expect(lines).toBeLessThan(Object.keys(document.paths).length * LINES_PER_OPERATION);
  });

  it('compile, and let every nested object be read and written', async () => {
    writeFileSync(path.join(folder, 'by-hand.ts'), BY_HAND);
    writeFileSync(path.join(folder, 'everything.ts'), everything(document));
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2023', types: [] };
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['by-hand.ts', 'everything.ts'] }),
    );
    const { stdout } = await run(program('../typescript/bin/tsc'), ['--project', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});
