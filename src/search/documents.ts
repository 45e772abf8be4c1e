import type { StoreSession } from '../platform/database/session.js';
import type { StoreContext } from '../platform/store/store-context.js';
import { longTurn } from '../platform/timers.js';
import {
  LOCK_ORDER_DOCUMENTS,
  NEXT,
  ORDERS_OF,
  READ_CUSTOMERS,
  READ_ORDERS,
  READ_PRODUCTS,
  READ_TRACKING,
  WRITE,
  WRITE_PHONES,
} from './documents.statements.js';
import type { DocumentKind, Kind } from './needle.js';
import { piecesOf } from './pieces.js';
import { customerText, type OrderPhone, orderText, phonesOf, productText, trackingText } from './texts.js';

// Every record that is searched has a document (docs/behaviour.md §13.1). A change of a record tells it, and
// the document is written at the end of the transaction, which then holds all its other locks.

/** What reads and writes the rows of one store. */
export type Documented = Pick<StoreSession, 'storeId' | 'query' | 'enqueue'>;

interface Changed {
  anew: Record<Kind, Set<string>>;
  /** The orders whose tracking numbers changed, with those that they have now. */
  tracked: Map<string, string>;
}

const changes = new WeakMap<StoreSession, Changed>();

/** What the present transaction, or its present step, has changed: a rollback forgets the work and this. */
function changesOf({ session }: StoreContext): Changed {
  const known = session.lastWork.has('documents') ? changes.get(session) : undefined;
  if (known) return known;
  const changed: Changed = {
    anew: { customer: new Set(), product: new Set(), order: new Set() },
    tracked: new Map(),
  };
  changes.set(session, changed);
  session.lastWork.set('documents', () => writeChanged(session, changed));
  return changed;
}

/** The documents of these records are written anew before the commit. */
export function documentsChange(ctx: StoreContext, kind: Kind, ids: readonly (string | number)[]): void {
  const all = changesOf(ctx).anew[kind];
  for (const id of ids) all.add(String(id));
}

/** The document of an order's tracking number is written before the commit; the order's stays as it is. */
export function trackingChanges(ctx: StoreContext, orderId: number, number: string): void {
  changesOf(ctx).tracked.set(String(orderId), number);
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

async function writeChanged(session: Documented, { anew, tracked }: Changed): Promise<void> {
  await write(
    session,
    'tracking',
    [...tracked].map(([id, number]) => ({ id, text: () => trackingText(number) })),
  );
  for (const [kind, ids] of Object.entries(anew) as [Kind, Set<string>][]) {
    const all = [...ids];
    for (let from = 0; from < all.length; from += MANY) {
      const some = all.slice(from, from + MANY);
      const documents = await READERS[kind](session, some);
      await write(session, kind, documents);
      if (kind === 'order') writePhones(session, documents as OrderNow[]);
    }
  }
}

/** Writes the documents of all records of a store, as far as they are not there, and nothing else. */
export async function writeAllDocuments(session: Documented): Promise<void> {
  for (const [kind, { of, first }] of Object.entries(NEXT) as [DocumentKind, (typeof NEXT)[DocumentKind]][]) {
    let after = first;
    for (;;) {
      const rows = await session.query(of, { after, take: MANY });
      if (rows.length === 0) break;
      const ids = rows.map(({ id }) => String(id));
      await write(session, kind, await READERS[kind](session, ids));
      after = ids[ids.length - 1];
    }
  }
}

const READERS = { customer: customersNow, product: productsNow, order: ordersNow, tracking: trackingNow };

/** What a document should say. */
interface DocumentNow {
  id: string;
  /** Making it may take a millisecond. */
  text: () => string;
}

export const documentsNow = (
  session: Documented,
  kind: DocumentKind,
  ids: string[],
): Promise<DocumentNow[]> => READERS[kind](session, ids);

export function writtenAs(storeId: string, kind: DocumentKind, document: DocumentNow) {
  const text = document.text();
  return { text, pieces: piecesOf(storeId, kind, text) };
}

/** How many characters are made into pieces before other calls have their turn. */
const AT_A_STRETCH = 20_000;

async function write(session: Documented, kind: DocumentKind, documents: DocumentNow[]): Promise<void> {
  if (documents.length === 0) return;
  const texts: string[] = [];
  const pieces: string[] = [];
  let made = 0;
  for (const document of documents) {
    const written = writtenAs(session.storeId, kind, document);
    texts.push(written.text);
    pieces.push(`{${written.pieces.join()}}`);
    made += written.text.length;
    if (made < AT_A_STRETCH) continue;
    made = 0;
    await longTurn();
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

interface OrderNow extends DocumentNow {
  customerId: string;
  phones: OrderPhone[];
  /** Whether its phone numbers are not those that it had. */
  isCalledAnew: boolean;
}

async function ordersNow(session: Documented, ids: string[]): Promise<OrderNow[]> {
  session.enqueue(LOCK_ORDER_DOCUMENTS, { ids });
  const rows = await session.query(READ_ORDERS, { ids });
  return rows.map(({ id, customerId, phones: before, ...order }) => {
    const phones = phonesOf(order);
    const now = phones.map(({ phone, digits }) => `${phone} ${digits}`);
    const isCalledAnew = now.join('\n') !== before.join('\n');
    return { id, customerId, phones, isCalledAnew, text: () => orderText(order) };
  });
}

async function trackingNow(session: Documented, ids: string[]): Promise<DocumentNow[]> {
  const rows = await session.query(READ_TRACKING, { ids });
  return rows.map(({ id, trackingNumber }) => ({ id, text: () => trackingText(trackingNumber) }));
}

function writePhones(session: Documented, orders: OrderNow[]): void {
  const changed = orders.filter(({ isCalledAnew }) => isCalledAnew);
  if (changed.length === 0) return;
  const phones = changed.flatMap(({ id, customerId, phones: now }) =>
    now.map((phone, i) => ({ id, customerId, nth: i + 1, ...phone })),
  );
  session.enqueue(WRITE_PHONES, {
    orderIds: changed.map(({ id }) => id),
    ids: phones.map(({ id }) => id),
    nths: phones.map(({ nth }) => nth),
    customerIds: phones.map(({ customerId }) => customerId),
    phones: phones.map(({ phone }) => phone),
    digits: phones.map(({ digits }) => digits),
  });
}
