import pg from 'pg';
import { isWorthRepeating, POOL } from './connections/connection.js';

/**
 * Database access for work that does not belong to a single store: token and session look-ups, deliveries,
 * the operator's command line. It connects as a separate role whose policies see every store. A lint rule
 * keeps it out of operation handlers.
 */
export class SystemDatabase {
  readonly pool: pg.Pool;

  constructor(url: string, options: { max: number; onError: (error: Error) => void }) {
    this.pool = new pg.Pool({
      ...POOL,
      connectionString: url,
      max: options.max,
      application_name: 'shop-system',
    });
    this.pool.on('error', options.onError);
  }

  /** @param name prepares the text once per connection */
  async query<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    name?: string,
  ): Promise<Row[]> {
    const result = await this.pool.query<Row>({ text, values, ...(name ? { name } : {}) });
    return result.rows;
  }

  /** Like `query`, for a text that only reads: it is run once more if its connection is lost. */
  async read<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    name?: string,
  ): Promise<Row[]> {
    try {
      return await this.query<Row>(text, values, name);
    } catch (error) {
      if (!isWorthRepeating(error)) throw error;
      return this.query<Row>(text, values, name);
    }
  }

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
