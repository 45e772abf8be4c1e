import pg from 'pg';
import { Client, CONNECTION, isLost, LOST_MS } from './connection.js';
import { type Query, sever, submit, traceSender } from './driver.js';

const CONNECTIONS = 4;
/** More reads than this do not queue on one connection while another is free. */
const QUEUE = 8;
/** A connection that has not answered for this long is held up by a read; others go elsewhere. */
const MOVING_MS = 2;

/**
 * Short reads of all calls on few connections, one behind the other without waiting for each other's answers (pipelined). A
 * connection that is kept busy costs both ends far less than many that take turns at sleeping; see docs/performance.md. Statements
 * declared `slow` do not belong here: what queues behind one waits for it.
 */
export class ReadConnections {
  private readonly connections: PipelinedConnection[];

  /** @param lostMs after how long without any answer a connection is given up */
  constructor(url: string, lostMs = LOST_MS) {
    this.connections = Array.from({ length: CONNECTIONS }, () => new PipelinedConnection(url, lostMs));
  }

  /** Reads sent and not answered yet. */
  get waiting(): number {
    return this.connections.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Runs a statement by itself, outside any transaction; again, once, when its connection is lost meanwhile. @throws what the database says */
  read<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]> {
    const again = () => this.pick(performance.now()).read<Row>(query);
    return this.pick(performance.now()).read<Row>(query, again);
  }

  /** Waits for the reads under way; there must be no new ones. */
  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }

  /** The first that is free or moving, so that few connections are busy rather than all of them now and then. */
  private pick(now: number): PipelinedConnection {
    let best = this.connections[0];
    for (const connection of this.connections) {
      const isMoving = connection.isMoving(now);
      if (connection.waiting === 0 || (connection.waiting < QUEUE && isMoving)) return connection;
      if (isMoving === best.isMoving(now) ? connection.waiting < best.waiting : isMoving) best = connection;
    }
    return best;
  }
}

class PipelinedConnection {
  waiting = 0;
  /** When a read found it free, or one was answered. */
  private movedAt = 0;
  private client: pg.Client | null = null;
  private connecting: Promise<pg.Client> | null = null;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly lostMs: number,
  ) {}

  isMoving(now: number): boolean {
    return now - this.movedAt < MOVING_MS || this.connecting !== null;
  }

  /** @param again what is done when the read may have been under way on a connection that is gone; without it that is an error */
  async read<Row extends pg.QueryResultRow>(query: Query, again?: () => Promise<Row[]>): Promise<Row[]> {
    if (this.waiting++ === 0) this.movedAt = performance.now();
    let client = this.client;
    try {
      client ??= await this.connect();
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

  /** Fails what is under way on a connection; the next read connects anew. */
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
    const client = new Client({ ...CONNECTION, lostMs, connectionString, application_name: 'shop-store-reads' });
    for (const event of ['error', 'end'] as const) client.on(event, () => this.drop(client));
    await client.connect();
    return (this.client = client);
  }
}

/** Whether the database refused the statement itself, and its connection lives on. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isLost(error);
}
