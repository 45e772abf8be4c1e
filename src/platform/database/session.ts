import type { DataSource, EntityManager } from 'typeorm';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { Unavailable, WHILE_MOVED } from '../errors.js';
import { isAborted, isReadOnlyRefusal } from './connections/connection.js';
import { gather, managerOn, noteReadOnly, type Query, submit, traceSender } from './connections/driver.js';
import type { ReadConnections } from './connections/read-connections.js';
import { tracer } from '../observability/tracing.js';
import type { Leaves, StoreConnections, TakenConnection } from './connections/store-connections.js';
import { type StatementShape, type ParametersOf, type Statement } from './statement.js';
import type { StoreRow } from './store-row.entity.js';
import { StoreRows } from './rows.js';

/**
 * The access of one call to the database, limited to the rows of its store. The first statement that needs a
 * transaction opens one in the same round trip (connections pipeline); `commit` or `rollback` ends it. A call
 * that validation refuses opens none.
 */
export class StoreSession {
  private client: PoolClient | null = null;
  private taken: TakenConnection | null = null;
  /** The end of the last long read: a call has one at a time. */
  private lastLong: Promise<unknown> | null = null;
  private opening: Promise<PoolClient> | null = null;
  private entityManager: EntityManager | null = null;
  private readonly pending: Promise<unknown>[] = [];
  /** What aborted the transaction: statements after it only fail because of it. */
  private failure: unknown = null;
  private mayBeCommitted = false;
  private isReadOnly = false;
  private readonly afterCommit: (() => void | Promise<void>)[] = [];
  /** What a commit does first, when the transaction holds all its other locks, by name. */
  readonly lastWork = new Map<string, () => Promise<void>>();
  /** The commits of a rehearsal so far; null outside one. */
  private steps: number | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: ReadConnections,
    readonly storeId: string,
    private readonly connections: StoreConnections,
    /** Set for a call that has a caller. */
    private readonly leaves?: Leaves,
  ) {}

  /**
   * Runs a read as a single statement without a transaction, or inside the call's transaction if there is
   * one.
   */
  read<Of extends StatementShape>(
    statement: Statement<Of>,
    ...given: ParametersOf<Of>
  ): Promise<Of['row'][]> {
    if (this.opening) return this.query(statement, ...given);
    const name = `${statement.name}:setting-store`;
    const query = { name, text: statement.settingStore, values: this.valuesOf(statement, ...given) };
    return statement.slow ? this.readSlowly(query) : this.reads.read(query);
  }

  private readSlowly(query: Query): Promise<QueryResultRow[]> {
    const read = () => this.connections.read(this.storeId, query, this.leaves);
    const rows = this.lastLong ? this.lastLong.then(read) : read();
    this.lastLong = rows.catch(() => undefined);
    return rows;
  }

  private valuesOf<Of extends StatementShape>(
    statement: Statement<Of>,
    ...[given]: ParametersOf<Of>
  ): unknown[] {
    const values: unknown[] = [this.storeId];
    for (const name of statement.parameters) values.push((given as Record<string, unknown>)[name]);
    return values;
  }

  /** Runs a statement in the call's transaction and returns its rows. */
  async query<Of extends StatementShape>(
    statement: Statement<Of>,
    ...given: ParametersOf<Of>
  ): Promise<Of['row'][]> {
    const client = this.client ?? (await this.open());
    const { name, text } = statement;
    const query = { name, text, values: this.valuesOf(statement, ...given) };
    if (this.taken!.ended) throw this.taken!.ended;
    try {
      return (await this.submit(client, query)).rows;
    } catch (error) {
      traceSender(error);
      throw this.causeOf(error);
    }
  }

  /** The error to report. Answers come in the order of the statements, so that the first failure is known. */
  private causeOf(error: unknown): unknown {
    const cause = this.abortedBy(error);
    this.failure ??= cause;
    return cause;
  }

  /** What aborted the transaction, if the error is only that it is aborted. */
  private abortedBy(error: unknown): unknown {
    return isAborted(error) ? (this.failure ?? error) : error;
  }

  /**
   * Sends a statement whose rows are not needed. It goes out with the next statements. If it fails, the
   * commit fails.
   */
  enqueue<Of extends StatementShape>(statement: Statement<Of>, ...given: ParametersOf<Of>): void {
    const sent = this.query(statement, ...given);
    sent.catch(() => undefined);
    this.pending.push(sent);
  }

  /** The store's rows of one entity, inside the call's transaction. */
  rows<Entity extends StoreRow>(entity: new () => Entity): StoreRows<Entity> {
    return new StoreRows(this.storeId, entity, () => this.manager());
  }

  /**
   * Registers an action, such as ringing a doorbell, for after the commit, when the call can no longer fail.
   * It must not throw.
   */
  onCommit(action: () => void | Promise<void>): void {
    this.afterCommit.push(action);
  }

  /**
   * Whether changes may have been committed. After a connection is lost during COMMIT, this is not known, so
   * it is true.
   */
  get mayHaveChanged(): boolean {
    return this.mayBeCommitted;
  }

  /**
   * Commits the transaction, if there is one. @throws the first failure of a statement that was sent; nothing
   * is changed then
   */
  async commit(): Promise<void> {
    for (const work of this.lastWork.values()) await work();
    this.lastWork.clear();
    if (this.steps !== null) return this.keepStep();
    if (this.opening) {
      const client = await this.opening;
      this.taken!.settle();
      const ended = this.submit(client, { text: 'COMMIT' });
      const outcomes = await Promise.allSettled([...this.pending, ended]);
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      const completed = outcomes[outcomes.length - 1];
      const isUndone =
        completed.status === 'fulfilled' && (completed.value as { command: string }).command !== 'COMMIT';
      this.mayBeCommitted ||= !isUndone;
      this.release(completed.status === 'rejected' ? completed.reason : undefined);
      if (failure) throw failure.reason;
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, which the driver does not report as
      // an error.
      if (isUndone) throw new Error('the transaction was rolled back');
    }
    for (const action of this.afterCommit.splice(0)) await action();
  }

  /** Rolls the transaction back, if there is one. Never throws, because the call's own error matters more. */
  async rollback(): Promise<void> {
    this.afterCommit.length = 0;
    this.lastWork.clear();
    if (this.steps !== null) return this.returnTo('step');
    if (!this.opening) return;
    const client = await this.opening.catch(() => null);
    if (!client) return;
    this.taken!.settle();
    const undone = await Promise.allSettled([...this.pending, this.submit(client, { text: 'ROLLBACK' })]);
    const last = undone[undone.length - 1];
    this.release(last.status === 'rejected' ? last.reason : undefined);
  }

  /** Gives the present transaction more time than others have. */
  async allow(ms: number): Promise<void> {
    const client = this.client ?? (await this.open());
    this.taken!.limit(ms);
    const set = this.submit(client, { ...SET_LIMIT, values: [`${ms}ms`] });
    set.catch(() => undefined);
    this.pending.push(set);
  }

  /** Whether all that is done will be taken back: nothing may leave the service. */
  get isRehearsal(): boolean {
    return this.steps !== null;
  }

  /**
   * Runs work and takes back all that it did, also what it committed: a commit is a savepoint, to which a
   * rollback returns. What waits for the commit never happens. The transaction stays open.
   * @returns how often the work committed, beside its result
   */
  async rehearse<Result>(work: () => Promise<Result>): Promise<{ result: Result; steps: number }> {
    const client = await this.open();
    await this.submit(client, { text: 'SAVEPOINT rehearsal' });
    await this.submit(client, { text: 'SAVEPOINT step' });
    this.steps = 0;
    this.taken!.endWith(this.leaves);
    try {
      const result = await work();
      const { steps } = this;
      await this.keepStep();
      return { result, steps };
    } catch (error) {
      throw this.abortedBy(error);
    } finally {
      await this.returnTo('rehearsal');
      this.steps = null;
      this.afterCommit.length = 0;
      this.lastWork.clear();
    }
  }

  /** @throws the first failure of a statement that was sent */
  private async keepStep(): Promise<void> {
    const outcomes = await Promise.allSettled(this.pending.splice(0));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
    await this.submit(this.client!, { text: 'RELEASE SAVEPOINT step' });
    await this.submit(this.client!, { text: 'SAVEPOINT step' });
    this.steps!++;
  }

  /** Never throws: after a lost connection nothing is left to take back. */
  private async returnTo(savepoint: 'rehearsal' | 'step'): Promise<void> {
    const undone = this.submit(this.client!, { text: `ROLLBACK TO SAVEPOINT ${savepoint}` });
    await Promise.allSettled([...this.pending.splice(0), undone]);
    this.failure = null;
  }

  /** TypeORM's manager on the call's own connection and transaction. Only StoreRows gets it. */
  private async manager(): Promise<EntityManager> {
    const client = this.client ?? (await this.open());
    return (this.entityManager ??= managerOn(this.dataSource, client));
  }

  private open(): Promise<PoolClient> {
    // A change that has begun goes on, whether or not its caller still waits.
    this.opening ??= this.connections
      .take(this.storeId, this.mayBeCommitted ? undefined : this.leaves)
      .then((taken) => {
        const { client } = (this.taken = taken);
        this.client = client;
        // Not awaited, because they go out with the first statement. If either fails, that statement fails
        // too.
        this.pending.push(this.submit(client, { text: 'BEGIN' }));
        this.pending.push(this.enter(client));
        if (tracer) this.pending.push(this.submit(client, { ...SET_TRACE, values: [tracer.traceparent] }));
        for (const sent of this.pending) sent.catch((error: unknown) => this.causeOf(error));
        return client;
      });
    return this.opening;
  }

  /** The refusal of a statement reaches its sender only after this answer. */
  private async enter(client: PoolClient): Promise<void> {
    const { rows } = await this.submit<{ readOnly: boolean }>(client, {
      name: 'set_store',
      text: 'select enter_store($1) as "readOnly"',
      values: [this.storeId],
    });
    this.isReadOnly = rows[0].readOnly;
    noteReadOnly(client, this.isReadOnly);
  }

  /** Rolls back after a failure. @returns `Unavailable` if the store is being moved, otherwise the cause */
  async fail(error: unknown): Promise<unknown> {
    const cause = this.abortedBy(error);
    await this.rollback();
    return this.isReadOnly && isReadOnlyRefusal(cause) ? new Unavailable(WHILE_MOVED, null) : cause;
  }

  /** Everything that the call sends in one turn of the event loop is written at once. */
  private submit<Row extends QueryResultRow>(client: PoolClient, query: Query): Promise<QueryResult<Row>> {
    gather(client);
    return submit<Row>(client, query);
  }

  private release(error?: Error): void {
    if (this.client) noteReadOnly(this.client, false);
    this.taken?.release(error);
    this.taken = null;
    this.client = null;
    this.opening = null;
    this.entityManager = null;
    this.failure = null;
    this.pending.length = 0;
  }
}

const SET_LIMIT = { name: 'set_limit', text: `select set_config('statement_timeout', $1, true)` };

/** Sets the default of webhook_deliveries.traceparent for the deliveries that the transaction writes. */
const SET_TRACE = { name: 'set_trace', text: `select set_config('shop.traceparent', $1, true)` };
