import type { StatementShape, ParametersOf, Statement } from '../../../src/platform/database/statement.js';
import { documentsNow, writtenAs } from '../../../src/search/documents.js';
import type { DocumentKind } from '../../../src/search/needle.js';

type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

const KEYS: Record<DocumentKind, string> = {
  ...{ order: 'order_id', tracking: 'tracking_of', product: 'product_id', customer: 'customer_id' },
};
/** How many documents of a store and kind are compared. */
const MOST = 200;

/** The documents of a store, and phone numbers, that are not what the records say now. */
export async function differingDocuments(query: Query, storeId: string): Promise<string[]> {
  const differing: string[] = [];
  const run = <Of extends StatementShape>(
    { text, parameters }: Statement<Of>,
    ...[given]: ParametersOf<Of>
  ): Promise<Of['row'][]> =>
    query(text, [storeId, ...parameters.map((name) => (given as Record<string, unknown>)[name])]);
  const session = {
    storeId,
    query: run,
    enqueue: () => undefined,
  };
  for (const kind of Object.keys(KEYS) as DocumentKind[]) {
    const written = await query<{ id: string; text: string; pieces: number[] }>(
      `select ${KEYS[kind]}::text as id, text, pieces from search_documents
       where store_id = $1 and ${KEYS[kind]} is not null limit ${MOST}`,
      [storeId],
    );
    if (written.length === 0) continue;
    const now = await documentsNow(
      session,
      kind,
      written.map(({ id }) => id),
    );
    if (now.some((document) => 'isCalledAnew' in document && document.isCalledAnew))
      differing.push('phone numbers');
    const known = new Map(now.map((document) => [document.id, document]));
    for (const { id, text, pieces } of written) {
      const document = known.get(id);
      const expected = document && writtenAs(storeId, kind, document);
      if (expected?.text !== text) differing.push(`${kind} ${id}: ${JSON.stringify([text, expected?.text])}`);
      else if (expected.pieces.join() !== pieces.join())
        differing.push(`${kind} ${id}: the pieces of ${JSON.stringify(text)}`);
    }
  }
  return differing;
}
