import type { PoolClient, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { type Caps, FOLLOWED_AFTER_MS } from '../../caps/caps.js';
import { CallerLeft, Unavailable } from '../../errors.js';
import { type Holding, holdingOf } from '../../held.js';
import { isLost, TRANSACTION_LIMIT_MS } from './connection.js';
import { cancel, poolOf, type Query } from './driver.js';
import type { Replica } from './replica.js';

/** A signal that is aborted when the caller has left; asked for only where it matters. */
export type Leaves = () => AbortSignal | undefined;

/** A connection for one transaction, which is ended if it takes too long. */
export class TakenConnection {
  /** Why it was ended: it may be used for a rollback, and for nothing else. */
  ended: Error | null = null;
  private timer: NodeJS.Timeout | undefined;
  private forget: (() => void) | undefined;

  constructor(
    readonly client: PoolClient,
    private readonly giveBack: () => void,
  ) {
    this.limit(TRANSACTION_LIMIT_MS);
  }

  /** From now on it may take so long. */
  limit(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(new Unavailable(TOO_LONG, null)), ms);
  }

  /** It ends when the caller leaves, unless it has ended by itself at once. */
  endWith(leaves: Leaves | undefined): void {
    if (!leaves) return;
    const follow = setTimeout(() => {
      const signal = leaves();
      const leave = () => this.end(new CallerLeft());
      if (signal?.aborted) leave();
      signal?.addEventListener('abort', leave);
      this.forget = () => signal?.removeEventListener('abort', leave);
    }, FOLLOWED_AFTER_MS);
    this.forget = () => clearTimeout(follow);
  }

  /** What it did is being committed or rolled back. */
  settle(): void {
    clearTimeout(this.timer);
    this.forget?.();
  }

  release(error?: Error): void {
    this.settle();
    // The request to end a statement may still be on its way.
    this.client.release(this.ended ?? error);
    this.giveBack();
  }

  private end(reason: Error): void {
    this.ended ??= reason;
    void cancel(this.client);
  }
}

const TOO_LONG = 'This took longer than 10 s, and changed nothing: ask for less, or send it again later.';

/**
 * The connections of the stores' pool, of which every store has a share (docs/behaviour.md §2.6): some for
 * transactions, and a few for long reads.
 */
export class StoreConnections {
  constructor(
    private readonly dataSource: DataSource,
    private readonly caps: Caps,
    private readonly replica: Replica | null,
  ) {}

  /** @throws OperationError rate_limited if no turn comes in time; CallerLeft */
  async take(storeId: string, leaves?: Leaves): Promise<TakenConnection> {
    const turn = this.turn('connections', storeId, leaves);
    const give = typeof turn === 'function' ? turn : await turn;
    try {
      return new TakenConnection(await poolOf(this.dataSource).connect(), give);
    } catch (error) {
      give();
      throw error;
    }
  }

  /**
   * A long read, by the replica if there is one. It ends when the caller leaves.
   * @throws as `take`
   */
  async read(storeId: string, query: Query, leaves?: Leaves): Promise<QueryResultRow[]> {
    const give = await this.turn('longReads', storeId, leaves);
    try {
      return (await this.replica?.read(query)) ?? (await this.readHere(query, leaves));
    } finally {
      give();
    }
  }

  private async readHere(query: Query, leaves: Leaves | undefined): Promise<QueryResultRow[]> {
    const taken = new TakenConnection(await poolOf(this.dataSource).connect(), () => undefined);
    taken.endWith(leaves);
    try {
      const { rows } = await taken.client.query<QueryResultRow>(query);
      taken.release();
      return rows;
    } catch (error) {
      taken.release(isLost(error) ? (error as Error) : undefined);
      throw taken.ended ?? error;
    }
  }

  /**
   * A turn, at once if one is free. A call that has one may not wait for another: two such calls would wait
   * for each other.
   */
  private turn(name: 'connections' | 'longReads', storeId: string, leaves?: Leaves) {
    const turn = this.caps.wait(name, { storeId }, { leaves });
    const holding = holdingOf();
    if (!holding) return turn;
    return typeof turn === 'function' ? noted(holding, turn) : turn.then((free) => noted(holding, free));
  }
}

/** What the call holds is known until it gives it back. */
function noted(holding: Holding, free: () => void): () => void {
  holding.connections++;
  return () => {
    holding.connections--;
    free();
  };
}
