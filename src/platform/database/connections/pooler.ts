import type pg from 'pg';

/** SQLSTATE of a statement that is prepared under a name which the server's connection already knows. */
const ALREADY_PREPARED = '42P05';
const PROBE = { name: 'shop_pooler', text: 'select 1' };

/**
 * Tries whether each connection of the pool has prepared statements of its own. A pooler in transaction mode
 * gives the same connection of the server to one client after the other: PgBouncer before 1.21, or with
 * `max_prepared_statements = 0`, does not translate their statements, so the second client's are refused.
 * @throws Error if statements of one connection are found on another
 */
export async function expectOwnStatements(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  try {
    for (const client of clients) await client.query(PROBE);
  } catch (error) {
    if ((error as { code?: string }).code !== ALREADY_PREPARED) throw error;
    throw new Error(
      'the pooler of DATABASE_URL mixes the prepared statements of its clients: transaction mode needs ' +
        'PgBouncer 1.21 or newer with max_prepared_statements; use pool_mode = session before',
    );
  } finally {
    for (const client of clients) client.release();
  }
}
