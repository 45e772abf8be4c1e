// One run of an ERP's synchronization: writes every order that has changed since the last run to a file, then
// sends the stock list to the shop. SHOP_URL is the address of the service, SHOP_TOKEN a token of scope
// write. SYNC_FOLDER contains stock.csv (with lines `productId,amount` or `productId,amount,variantId`), the
// folder orders/ and the file cursor.
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

/**
 * Stores the cursor only after the orders of the page are on disk, so that after a killed run a page is
 * repeated and none is lost.
 */
async function takeOrders(client: Client, folder: string): Promise<number> {
  const cursorFile = path.join(folder, 'cursor');
  const cursor = existsSync(cursorFile) ? readFileSync(cursorFile, 'utf8') : undefined;
  mkdirSync(path.join(folder, 'orders'), { recursive: true });
  let count = 0;
  for await (const { items, nextCursor } of client.eventPages({ cursor, follow: false, take: 100 })) {
    for (const { data } of items) if (data) keepNewest(folder, data);
    writeAtomically(cursorFile, nextCursor);
    count += items.length;
  }
  return count;
}

/**
 * Keeps the newest state of an order by its `updatedAt`, because events of one order may arrive in any
 * sequence.
 */
function keepNewest(folder: string, order: Order): void {
  const file = path.join(folder, 'orders', `${order.id}.json`);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Order) : null;
  if (known === null || known.updatedAt < order.updatedAt)
    writeAtomically(file, JSON.stringify(order, null, 2));
}

async function putStock(client: Client, folder: string): Promise<{ updated: number; failed: number }> {
  const lines = readFileSync(path.join(folder, 'stock.csv'), 'utf8').split(/\r?\n/).filter(Boolean);
  const sum = { updated: 0, failed: 0 };
  const refuse = (line: string, why: string) => {
    sum.failed++;
    console.error(`${line}: ${why}`);
  };
  const levels = lines.flatMap((line) => {
    const [productId, amount = '', variantId] = line.split(',').map((cell) => cell.trim());
    // Number('') is 0, so a missing amount would make the product sold out.
    if (/^\d+$/.test(amount))
      return [{ line, item: { productId, absolute: Number(amount), ...(variantId && { variantId }) } }];
    refuse(line, 'the amount must be a whole number of pieces');
    return [];
  });
  for (let from = 0; from < levels.length; from += BATCH) {
    const result = await client.call('update_stocks', {
      items: levels.slice(from, from + BATCH).map(({ item }) => item),
    });
    sum.updated += result.updated;
    for (const item of result.items) {
      if ('error' in item && item.error) refuse(levels[from + item.index].line, item.error.message);
    }
  }
  return sum;
}

/** Writes a file completely or not at all, even if the process is killed. */
function writeAtomically(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

await main();
