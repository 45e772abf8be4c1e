// npm run bench:import: how long chat-shop-import takes for a whole shop's file, within the default budgets.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newToken } from '../../dist/src/platform/auth/token.js';
import { seed } from '../seed.mjs';
import { round, startService, withDatabase } from '../service.mjs';

const PRODUCTS = Number(process.env.BENCH_PRODUCTS ?? 5_000);
const SIZES = ['S', 'M', 'L', 'XL'];
// A brand or category that is made is a call, as a hundred products are.
const BRANDS = 3;
const CATEGORIES = 6;
const COMMAND = path.join(import.meta.dirname, '../../packages/import/dist/cli.js');
const DEFAULT_BUDGETS = { RATE_LIMIT_READ: undefined, RATE_LIMIT_WRITE: undefined };

const HEADINGS =
  'Handle,Title,Body (HTML),Vendor,Product Category,Tags,Published,Option1 Name,Option1 Value,Variant SKU,' +
  'Variant Inventory Qty,Variant Price,Variant Compare At Price,Image Src';

/** A product and its variants, as Shopify exports them. */
function lines(n, price) {
  const about = `<p>Product ${n} is made of <b>cotton</b> and lasts for years.</p>`;
  const own = `Product ${n},${about},Brand ${n % BRANDS},Clothing > Kind ${n % CATEGORIES},new,true`;
  return SIZES.map((size, i) => {
    const first = i === 0;
    const image = first ? `https://images.example/${n}.jpg` : '';
    const option = `${first ? 'Size' : ''},${size},SKU-${n}-${size}`;
    return `shirt-${n},${first ? own : ',,,,,'},${option},${n % 50},${price + i}.00,,${image}`;
  });
}

const fileOf = (price) =>
  [HEADINGS, ...Array.from({ length: PRODUCTS }, (_, n) => lines(n + 1, price)).flat(), ''].join('\r\n');

function runCommand(file, port, token) {
  const env = { PATH: process.env.PATH, SHOP_URL: `http://127.0.0.1:${port}`, SHOP_TOKEN: token };
  const args = [COMMAND, file, '--apply', '--make-missing'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const began = performance.now();
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  return new Promise((resolve, reject) =>
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(output.slice(0, 2_000)));
      const [counts] = output.split('\n');
      resolve({ seconds: round((performance.now() - began) / 1000, 1), counts });
    }),
  );
}

const folder = mkdtempSync(path.join(tmpdir(), 'shop-import-'));
try {
  await withDatabase(async (database) => {
    const { tokens } = await seed(database.url, { stores: 1, orders: 0, newToken });
    const { port } = await startService(database, DEFAULT_BUDGETS);
    const table = {};
    const measure = async (label, price) => {
      const file = path.join(folder, 'products.csv');
      writeFileSync(file, fileOf(price));
      table[label] = await runCommand(file, port, tokens[0]);
    };
    await measure('all new', 20);
    await measure('nothing changed', 20);
    if (process.env.BENCH_CHANGED) await measure('all prices changed', 30);
    console.log(`${PRODUCTS} products with ${PRODUCTS * SIZES.length} variants`);
    console.table(table);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
