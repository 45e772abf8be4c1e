import pg from 'pg';
import { isWorthRepeating, POOL } from './connections/connection.js';
import { type StatementShape, type ParametersOf, type SystemStatement } from './statement.js';

/**
 * Database access for work that does not belong to a single store: token and session look-ups, deliveries,
 * the operator's command line. It connects as a separate role whose policies see every store. A lint rule
 * keeps it out of operation handlers.
 */
export class SystemDatabase {
  readonly pool: pg.Pool;

  constructor(url: string, options: { max: number; name?: string; onError: (error: Error) => void }) {
    this.pool = new pg.Pool({
      ...POOL,
      connectionString: url,
      max: options.max,
      application_name: options.name ?? 'shop-system',
    });
    this.pool.on('error', options.onError);
  }

  /** Runs a statement and returns its rows. */
  query<Of extends StatementShape>(
    statement: SystemStatement<Of>,
    ...given: ParametersOf<Of>
  ): Promise<Of['row'][]> {
    return runOn(this.pool, statement, ...given);
  }

  /** Like `run`, for a statement that only reads: it is run once more if its connection is lost. */
  async read<Of extends StatementShape>(
    statement: SystemStatement<Of>,
    ...given: ParametersOf<Of>
  ): Promise<Of['row'][]> {
    try {
      return await runOn(this.pool, statement, ...given);
    } catch (error) {
      if (!isWorthRepeating(error)) throw error;
      return runOn(this.pool, statement, ...given);
    }
  }

  /** Statements of the work are run with `runOn`. */
  async transaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      const undone = await client.query('ROLLBACK').catch((failure: Error) => failure);
      client.release(undone instanceof Error ? undone : undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

/**
 * Connections of their own for sign-in: passwords, codes, and the counters of attempts. Strangers can have
 * all of them, and the look-ups of sessions and tokens, which are on the others, stay as they were
 * (docs/behaviour.md §12).
 */
export class SignInDatabase extends SystemDatabase {}

/** Runs a statement on one connection, in its transaction. */
export async function runOn<Of extends StatementShape>(
  client: Pick<pg.ClientBase, 'query'>,
  statement: SystemStatement<Of>,
  ...[parameters]: ParametersOf<Of>
): Promise<Of['row'][]> {
  const { name, text } = statement;
  const values = statement.parameters.map((key) => (parameters as Record<string, unknown>)[key]);
  return (await client.query({ name, text, values })).rows;
}
