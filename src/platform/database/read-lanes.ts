import pg, { type ClientConfig } from 'pg';
import { CONNECTION, type Query, streamOf, submit } from './connection.js';

const LANES = 4;
/** More reads than this do not queue on one lane while another is free. */
const QUEUE = 8;
/** A lane that has not answered for this long is held up by a read; others go elsewhere. */
const MOVING_MS = 2;

/**
 * Short reads of all calls on few connections, one behind the other without waiting for each other's answers (pipelined). A
 * connection that is kept busy costs both ends far less than many that take turns at sleeping; see docs/performance.md. Statements
 * declared `slow` do not belong here: what queues behind one waits for it.
 */
export class ReadLanes {
  private readonly lanes: Lane[];

  constructor(url: string, limits: ClientConfig = CONNECTION) {
    const config = { ...limits, connectionString: url, application_name: 'shop-store-reads' };
    this.lanes = Array.from({ length: LANES }, () => new Lane(config));
  }

  /** Reads sent and not answered yet. */
  get waiting(): number {
    return this.lanes.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Runs a statement by itself, outside any transaction; again, once, when its connection is lost. @throws what the database says */
  async read<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]> {
    try {
      return await this.pick(performance.now()).read<Row>(query);
    } catch (error) {
      if (isRefusal(error)) throw error;
      return this.pick(performance.now()).read<Row>(query);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }

  /** The first that is free or moving, so that few lanes are busy rather than all of them now and then. */
  private pick(now: number): Lane {
    let best = this.lanes[0];
    for (const lane of this.lanes) {
      const isMoving = lane.isMoving(now);
      if (lane.waiting === 0 || (lane.waiting < QUEUE && isMoving)) return lane;
      if (isMoving === best.isMoving(now) ? lane.waiting < best.waiting : isMoving) best = lane;
    }
    return best;
  }
}

class Lane {
  waiting = 0;
  /** When a read found it free, or one was answered. */
  movedAt = 0;
  private client: pg.Client | null = null;
  private connecting: Promise<pg.Client> | null = null;

  constructor(private readonly config: ClientConfig) {}

  isMoving(now: number): boolean {
    return now - this.movedAt < MOVING_MS || this.connecting !== null;
  }

  async read<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]> {
    if (this.waiting++ === 0) this.movedAt = performance.now();
    let client = this.client;
    try {
      client ??= await this.connect();
      return (await submit<Row>(client, query)).rows;
    } catch (error) {
      if (client && !isRefusal(error)) this.drop(client);
      throw error;
    } finally {
      this.waiting--;
      this.movedAt = performance.now();
    }
  }

  /** Fails what is under way on a connection; the next read connects anew. */
  private drop(client: pg.Client): void {
    if (this.client === client) this.client = null;
    streamOf(client).destroy();
  }

  async close(): Promise<void> {
    await this.client?.end();
  }

  private connect(): Promise<pg.Client> {
    this.connecting ??= this.open().finally(() => (this.connecting = null));
    return this.connecting;
  }

  private async open(): Promise<pg.Client> {
    const client = new pg.Client(this.config);
    // The reads under way fail by themselves; unheard, the event would end the process.
    for (const event of ['error', 'end'] as const) client.on(event, () => this.drop(client));
    await client.connect();
    return (this.client = client);
  }
}

/** Whether the database refused the statement itself, and its connection lives on. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}
