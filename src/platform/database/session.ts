import type { DataSource, EntityManager } from 'typeorm';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { gather, managerOn, poolOf, type Query, submit, traceSender } from './driver.js';
import type { ReadConnections } from './read-connections.js';
import { tracer } from '../observability/tracing.js';
import type { Replica } from './replica.js';
import type { Statement } from './statement.js';
import type { StoreRow } from './store-row.entity.js';
import { StoreRows } from './rows.js';

/**
 * One call's way to the database: only the rows of its store. A transaction is opened by the first statement that needs one,
 * in the same round trip (connections pipeline), and ended by `commit` or `rollback`; a call that validation refuses opens none.
 */
export class StoreSession {
  private client: PoolClient | null = null;
  private opening: Promise<PoolClient> | null = null;
  private entityManager: EntityManager | null = null;
  private readonly pending: Promise<unknown>[] = [];
  private isGathering = false;
  private mayBeCommitted = false;
  private readonly afterCommit: (() => void | Promise<void>)[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: ReadConnections,
    readonly storeId: string,
    private readonly replica: Replica | null = null,
  ) {}

  /** Runs a read as one statement without a transaction; inside the call's transaction once there is one. */
  read<Row extends QueryResultRow>(statement: Statement, ...parameters: unknown[]): Promise<Row[]> {
    if (this.opening) return this.run<Row>(statement, ...parameters);
    const query = { name: `${statement.name}:carried`, text: statement.carried, values: [this.storeId, ...parameters] };
    return statement.slow ? this.readSlowly<Row>(query) : this.reads.read<Row>(query);
  }

  private async readSlowly<Row extends QueryResultRow>(query: Query): Promise<Row[]> {
    return (await this.replica?.read<Row>(query)) ?? (await poolOf(this.dataSource).query<Row>(query)).rows;
  }

  /** Runs a statement in the call's transaction and returns its rows. */
  async run<Row extends QueryResultRow>(statement: Statement, ...parameters: unknown[]): Promise<Row[]> {
    const client = this.client ?? (await this.open());
    const query = { name: statement.name, text: statement.text, values: [this.storeId, ...parameters] };
    try {
      return (await this.submit<Row>(client, query)).rows;
    } catch (error) {
      traceSender(error);
      throw (error as { code?: string }).code === TRANSACTION_ABORTED ? await this.firstFailure(error) : error;
    }
  }

  /** Why the transaction is aborted: a statement sent before failed, and that is what the caller must hear. */
  private async firstFailure(otherwise: unknown): Promise<unknown> {
    for (const outcome of await Promise.allSettled(this.pending)) {
      if (outcome.status === 'rejected' && (outcome.reason as { code?: string }).code !== TRANSACTION_ABORTED)
        return outcome.reason;
    }
    return otherwise;
  }

  /** Sends a statement whose rows nobody needs. It travels with what follows; its failure fails the commit. */
  send(statement: Statement, ...parameters: unknown[]): void {
    const sent = this.run(statement, ...parameters);
    sent.catch(() => undefined);
    this.pending.push(sent);
  }

  /** The store's rows of one entity, inside the call's transaction. */
  rows<Entity extends StoreRow>(entity: new () => Entity): StoreRows<Entity> {
    return new StoreRows(this.storeId, entity, () => this.manager());
  }

  /** Runs after the commit, when the call can no longer fail: doorbells, messages. What it promises must not be broken. */
  onCommit(action: () => void | Promise<void>): void {
    this.afterCommit.push(action);
  }

  /** Whether anything may have been changed by what was done so far: whoever loses the connection during COMMIT does not know. */
  get mayHaveChanged(): boolean {
    return this.mayBeCommitted;
  }

  /** Ends the transaction, if there is one. @throws the first failure of a statement that was sent, with nothing changed */
  async commit(): Promise<void> {
    if (this.opening) {
      const client = await this.opening;
      const ended = this.submit(client, { text: 'COMMIT' });
      const outcomes = await Promise.allSettled([...this.pending, ended]);
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      const completed = outcomes[outcomes.length - 1];
      const isUndone = completed.status === 'fulfilled' && (completed.value as { command: string }).command !== 'COMMIT';
      this.mayBeCommitted = !isUndone;
      this.release(completed.status === 'rejected' ? completed.reason : undefined);
      if (failure) throw failure.reason;
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, which is no error to the driver.
      if (isUndone) throw new Error('the transaction was rolled back');
    }
    for (const action of this.afterCommit.splice(0)) await action();
  }

  /** Undoes what the transaction did, if there is one. Never throws: the call's own error matters more. */
  async rollback(): Promise<void> {
    this.afterCommit.length = 0;
    if (!this.opening) return;
    const client = await this.opening.catch(() => null);
    if (!client) return;
    const undone = await Promise.allSettled([...this.pending, this.submit(client, { text: 'ROLLBACK' })]);
    const last = undone[undone.length - 1];
    this.release(last.status === 'rejected' ? last.reason : undefined);
  }

  /** TypeORM's manager over the call's own connection and transaction. Only StoreRows reaches it. */
  private async manager(): Promise<EntityManager> {
    const client = this.client ?? (await this.open());
    return (this.entityManager ??= managerOn(this.dataSource, client));
  }

  private open(): Promise<PoolClient> {
    this.opening ??= poolOf(this.dataSource)
      .connect()
      .then((client) => {
        this.client = client;
        // Not awaited: they travel with the first statement. If either fails, that statement fails too.
        this.pending.push(this.submit(client, { text: 'BEGIN' }));
        this.pending.push(
          this.submit(client, {
            name: 'set_store',
            text: `select set_config('shop.store_id', $1, true)`,
            values: [this.storeId],
          }),
        );
        if (tracer) this.pending.push(this.submit(client, { ...SET_TRACE, values: [tracer.traceparent] }));
        for (const sent of this.pending) sent.catch(() => undefined);
        return client;
      });
    return this.opening;
  }

  /** What one turn of the call sends goes out in one piece. */
  private submit<Row extends QueryResultRow>(client: PoolClient, query: Query): Promise<QueryResult<Row>> {
    if (!this.isGathering) {
      this.isGathering = true;
      gather(client, () => (this.isGathering = false));
    }
    return submit<Row>(client, query);
  }

  private release(error?: Error): void {
    this.client?.release(error);
    this.client = null;
    this.opening = null;
    this.entityManager = null;
    this.pending.length = 0;
  }
}

/** For the deliveries that the transaction writes: webhook_deliveries.traceparent. */
const SET_TRACE = { name: 'set_trace', text: `select set_config('shop.traceparent', $1, true)` };

/** SQLSTATE in_failed_sql_transaction. */
const TRANSACTION_ABORTED = '25P02';
