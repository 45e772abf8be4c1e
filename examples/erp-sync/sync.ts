// One run of an ERP's sync: every order event since the last run becomes a file, then the stock list goes to the shop.
// SHOP_URL and SHOP_TOKEN say where and as whom (scope write); SYNC_FOLDER holds stock.csv (`productId,amount` a line, or
// `productId,amount,variantId`), orders/ and the cursor.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient, type Client, type components } from 'chat-shop-client';

type Order = components['schemas']['Order'];

const BATCH = 200;

async function main(): Promise<void> {
  const { SHOP_URL, SHOP_TOKEN, SYNC_FOLDER = '.' } = process.env;
  if (!SHOP_URL || !SHOP_TOKEN) throw new Error('SHOP_URL and SHOP_TOKEN must be set');
  const client = createClient({ baseUrl: SHOP_URL, token: SHOP_TOKEN });
  console.log(`${await takeOrders(client, SYNC_FOLDER)} events taken`);
  const { updated, failed } = await putStock(client, SYNC_FOLDER);
  console.log(`${updated} stock levels put, ${failed} refused`);
  if (failed > 0) process.exitCode = 1;
}

/** The cursor is kept only after the page's orders are on disk: a run that is killed repeats a page and loses nothing. */
async function takeOrders(client: Client, folder: string): Promise<number> {
  const cursorFile = path.join(folder, 'cursor');
  const cursor = existsSync(cursorFile) ? readFileSync(cursorFile, 'utf8') : undefined;
  mkdirSync(path.join(folder, 'orders'), { recursive: true });
  let count = 0;
  for await (const { items, nextCursor } of client.eventPages({ cursor, follow: false, take: 100 })) {
    for (const { data } of items) if (data) keepNewest(folder, data);
    writeWhole(cursorFile, nextCursor);
    count += items.length;
  }
  return count;
}

/** Events of one order may arrive in any order; `updatedAt` says which is the newest. */
function keepNewest(folder: string, order: Order): void {
  const file = path.join(folder, 'orders', `${order.id}.json`);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Order) : null;
  if (known === null || known.updatedAt < order.updatedAt) writeWhole(file, JSON.stringify(order, null, 2));
}

async function putStock(client: Client, folder: string): Promise<{ updated: number; failed: number }> {
  const lines = readFileSync(path.join(folder, 'stock.csv'), 'utf8').split(/\r?\n/).filter(Boolean);
  const levels = lines.map((line) => {
    const [productId, amount, variantId] = line.split(',');
    return { productId, absolute: Number(amount), ...(variantId && { variantId }) };
  });
  const sum = { updated: 0, failed: 0 };
  for (let from = 0; from < levels.length; from += BATCH) {
    const result = await client.call('update_stocks', { items: levels.slice(from, from + BATCH) });
    sum.updated += result.updated;
    sum.failed += result.failed;
    for (const item of result.items) {
      if ('error' in item && item.error) console.error(`${lines[from + item.index]}: ${item.error.message}`);
    }
  }
  return sum;
}

/** Whole or not at all, whenever the process ends. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

await main();
