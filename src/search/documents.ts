import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoreSession } from '../platform/database/session.js';
import type { StoreContext } from '../platform/store/store-context.js';
import {
  LOCK_ORDER_DOCUMENTS,
  NEXT,
  ORDERS_OF,
  READ_CUSTOMERS,
  READ_ORDERS,
  READ_PRODUCTS,
  WRITE,
  WRITE_PHONES,
} from './documents.statements.js';
import type { Kind } from './needle.js';
import { piecesOf } from './pieces.js';
import { customerText, orderText, phonesOf, productText } from './texts.js';

// Every record that is searched has a document (docs/behaviour.md §13.1). A change of a record tells it, and
// the document is written at the end of the transaction, which then holds all its other locks.

/** What reads and writes the rows of one store. */
export type Documented = Pick<StoreSession, 'storeId' | 'query' | 'enqueue'>;

type Changed = Map<Kind, Set<string>>;

/** The documents of these records are written anew before the commit. */
export function documentsChange(ctx: StoreContext, kind: Kind, ids: readonly (string | number)[]): void {
  const changed = ctx.session.lastWork.gather(writeChanged, (): Changed => new Map());
  const all = changed.get(kind) ?? new Set();
  changed.set(kind, all);
  for (const id of ids) all.add(String(id));
}

/** Also the documents of their orders, which have the customers' names. */
export async function namesChange(ctx: StoreContext, customerId: string): Promise<void> {
  documentsChange(ctx, 'customer', [customerId]);
  const orders = await ctx.session.query(ORDERS_OF, { ids: [customerId] });
  documentsChange(
    ctx,
    'order',
    orders.map(({ id }) => id),
  );
}

/** How many records are read and written at once. */
const MANY = 200;

async function writeChanged(session: Documented, changed: Changed): Promise<void> {
  for (const [kind, ids] of changed) {
    const all = [...ids];
    for (let from = 0; from < all.length; from += MANY)
      await write(session, kind, all.slice(from, from + MANY));
  }
}

/** Writes the documents of all records of a store, as far as they are not there. */
export async function writeAllDocuments(session: Documented): Promise<void> {
  for (const [kind, { of, first }] of Object.entries(NEXT) as [Kind, (typeof NEXT)[Kind]][]) {
    let after = first;
    for (;;) {
      const rows = await session.query(of, { after, take: MANY });
      if (rows.length === 0) break;
      const ids = rows.map(({ id }) => String(id));
      await write(session, kind, ids);
      after = ids[ids.length - 1];
    }
  }
}

const READERS = { customer: customersNow, product: productsNow, order: ordersNow };

/** What the document of a record should say; making the text of one may take a millisecond. */
interface DocumentNow {
  id: string;
  text: () => string;
}

export const documentsNow = (session: Documented, kind: Kind, ids: string[]): Promise<DocumentNow[]> =>
  READERS[kind](session, ids);

/** How many characters are made into pieces before other calls have their turn. */
const AT_A_STRETCH = 20_000;

async function write(session: Documented, kind: Kind, ids: string[]): Promise<void> {
  const documents = await READERS[kind](session, ids);
  if (documents.length === 0) return;
  const texts: string[] = [];
  const pieces: string[] = [];
  let made = 0;
  for (const document of documents) {
    const text = document.text();
    texts.push(text);
    pieces.push(`{${piecesOf(session.storeId, kind, text).join()}}`);
    made += text.length;
    if (made < AT_A_STRETCH) continue;
    made = 0;
    await nextTurn();
  }
  session.enqueue(WRITE[kind], { ids: documents.map(({ id }) => id), texts, pieces });
}

async function customersNow(session: Documented, ids: string[]): Promise<DocumentNow[]> {
  const rows = await session.query(READ_CUSTOMERS, { ids });
  return rows.map(({ id, ...texts }) => ({ id, text: () => customerText(texts) }));
}

async function productsNow(session: Documented, ids: string[]): Promise<DocumentNow[]> {
  const rows = await session.query(READ_PRODUCTS, { ids });
  return rows.map(({ id, ...texts }) => ({ id, text: () => productText(texts) }));
}

/** Writes their phone numbers too, where they differ. */
async function ordersNow(session: Documented, ids: string[]): Promise<DocumentNow[]> {
  session.enqueue(LOCK_ORDER_DOCUMENTS, { ids });
  const rows = await session.query(READ_ORDERS, { ids });
  const orderIds: string[] = [];
  const phones = rows.flatMap(({ id, customerId, phones: before, ...order }) => {
    const now = phonesOf(order);
    if (now.map(({ phone, digits }) => `${phone} ${digits}`).join('\n') === before.join('\n')) return [];
    orderIds.push(id);
    return now.map((phone, i) => ({ id, customerId, nth: i + 1, ...phone }));
  });
  if (orderIds.length > 0)
    session.enqueue(WRITE_PHONES, {
      orderIds,
      ids: phones.map(({ id }) => id),
      nths: phones.map(({ nth }) => nth),
      customerIds: phones.map(({ customerId }) => customerId),
      phones: phones.map(({ phone }) => phone),
      digits: phones.map(({ digits }) => digits),
    });
  return rows.map(({ id, ...order }) => ({ id, text: () => orderText(order) }));
}
