import type pg from 'pg';
import type { ParametersOf, Statement, StatementShape } from '../../platform/database/statement.js';
import { writeAllDocuments } from '../../search/documents.js';
import { plainClient } from './snapshot.js';

/**
 * Writes what a store's records are found by, which backups leave out.
 * @param client connects as the role that sees the rows of every store
 */
export async function writeSearchDocuments(client: pg.ClientBase, storeId: string): Promise<void> {
  // A connection of its own has one statement at a time.
  let last: Promise<unknown> = Promise.resolve();
  function query<Of extends StatementShape>(
    { name, text, parameters }: Statement<Of>,
    ...[given]: ParametersOf<Of>
  ): Promise<Of['row'][]> {
    const named = given as Record<string, unknown>;
    const values = [storeId, ...parameters.map((parameter) => named[parameter])];
    const run = last.then(() => client.query<Of['row'] & pg.QueryResultRow>({ name, text, values }));
    last = run;
    return run.then(({ rows }) => rows);
  }
  await writeAllDocuments({
    storeId,
    query,
    enqueue: (statement, ...given) => void query(statement, ...given).catch(() => undefined),
  });
  await last;
}

/** The same for every store. */
export async function writeEverySearchDocument(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id from stores');
  for (const { id } of rows) await writeSearchDocuments(client, id);
}

/** The same by a connection of its own. */
export async function writeAllSearchDocuments(systemUrl: string): Promise<void> {
  const client = plainClient(systemUrl);
  try {
    await client.connect();
    await client.query('set statement_timeout = 0');
    await writeEverySearchDocument(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
