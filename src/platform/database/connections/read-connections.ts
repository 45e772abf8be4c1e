import pg from 'pg';
import { Client, CONNECTION, isLost, LOST_MS } from './connection.js';
import { gather, type Query, sever, submit, traceSender } from './driver.js';

/** How reads share connections; a server that the service is compared with shares them alike (bench). */
export const SHARING = {
  connections: 4,
  /**
   * The most reads that queue on one connection while another one is free: 10 ms of lists, 2 ms of single
   * records. With a shorter queue several connections are busy at once, and where cores are few, one of them
   * then waits for up to 300 ms with all its reads.
   */
  queue: 32,
  /**
   * A connection that has not answered for this many milliseconds is held up by a read, so that other reads
   * go elsewhere.
   */
  movingMs: 2,
};

/**
 * Sends the short reads of all calls over a few pipelined connections: each is sent without waiting for the
 * previous answers. A few busy connections cost both ends far less than many that are mostly idle; see
 * docs/performance.md. Statements declared `slow` do not belong here, because the reads behind one would wait
 * for it.
 */
export class ReadConnections {
  private readonly connections: PipelinedConnection[];

  /** @param lostMs how long a connection may go without any answer before it is given up */
  constructor(url: string, lostMs = LOST_MS) {
    this.connections = Array.from(
      { length: SHARING.connections },
      () => new PipelinedConnection(url, lostMs),
    );
  }

  /** The number of reads that are sent and not answered yet. */
  get waiting(): number {
    return this.connections.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /**
   * Runs a single statement outside any transaction, and once more if its connection is lost. @throws the
   * database's error
   */
  read<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]> {
    const again = () => this.pick(performance.now()).read<Row>(query);
    return this.pick(performance.now()).read<Row>(query, again);
  }

  /** Waits for the reads under way. No new ones may be started. */
  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }

  /**
   * The first connection that is free or answering, so that a few connections are busy instead of all of them
   * now and then.
   */
  private pick(now: number): PipelinedConnection {
    let best = this.connections[0];
    for (const connection of this.connections) {
      const isMoving = connection.isMoving(now);
      if (connection.waiting === 0 || (connection.waiting < SHARING.queue && isMoving)) return connection;
      if (isMoving === best.isMoving(now) ? connection.waiting < best.waiting : isMoving) best = connection;
    }
    return best;
  }
}

class PipelinedConnection {
  waiting = 0;
  /** When the connection last answered, or last took a read while it was free. */
  private movedAt = 0;
  private client: pg.Client | null = null;
  private connecting: Promise<pg.Client> | null = null;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly lostMs: number,
  ) {}

  isMoving(now: number): boolean {
    return now - this.movedAt < SHARING.movingMs || this.connecting !== null;
  }

  /** @param again runs the read again if its connection is lost; without it, that is an error */
  async read<Row extends pg.QueryResultRow>(query: Query, again?: () => Promise<Row[]>): Promise<Row[]> {
    if (this.waiting++ === 0) this.movedAt = performance.now();
    let client = this.client;
    try {
      client ??= await this.connect();
      // The reads of all requests that have arrived by then go out together.
      gather(client, setImmediate);
      return (await submit<Row>(client, query)).rows;
    } catch (error) {
      traceSender(error);
      if (!client || this.isClosed || isRefusal(error)) throw error;
      this.drop(client);
      if (!again) throw error;
    } finally {
      this.waiting--;
      this.movedAt = performance.now();
    }
    return again();
  }

  /** Fails the reads under way on a connection. The next read opens a new one. */
  private drop(client: pg.Client): void {
    if (this.client === client) this.client = null;
    sever(client);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.connecting?.catch(() => undefined);
    await this.client?.end();
  }

  private connect(): Promise<pg.Client> {
    if (this.isClosed) throw new Error('reads have been closed');
    this.connecting ??= this.open().finally(() => (this.connecting = null));
    return this.connecting;
  }

  private async open(): Promise<pg.Client> {
    const { url: connectionString, lostMs } = this;
    const client = new Client({
      ...CONNECTION,
      lostMs,
      connectionString,
      application_name: 'shop-store-reads',
    });
    for (const event of ['error', 'end'] as const) client.on(event, () => this.drop(client));
    await client.connect();
    return (this.client = client);
  }
}

/** Whether the database refused the statement itself, so that the connection is still usable. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isLost(error);
}
