import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg, { type ClientBase, type Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/**
 * The one place that uses what pg and TypeORM do not declare. Each function stands for one such use; why it is needed, and what to
 * look at when a new version of either comes, is in docs/decisions/0009-library-internals.md.
 */

/** A statement as it goes to the driver; one with a name is prepared once per connection. */
export interface Query {
  name?: string;
  text: string;
  values?: unknown[];
}

/** The pool that TypeORM keeps; statements of our own run on the same connections. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/** TypeORM's manager over a connection on which a transaction is open: it neither takes another connection nor begins again. */
export function managerOn(dataSource: DataSource, client: PoolClient): EntityManager {
  const runner = dataSource.createQueryRunner();
  Object.assign(runner, { databaseConnection: client, isTransactionActive: true, transactionDepth: 1 });
  return runner.manager;
}

/**
 * What `client.query(query)` does. There the driver copies the object, property descriptor by property descriptor, which costs
 * more than to read a short answer; a query object of its own, made of text and values, it takes as it is. Of a refusal,
 * `traceSender` makes what the driver would.
 */
export function submit<Row extends QueryResultRow>(client: ClientBase, { name, text, values }: Query): Promise<QueryResult<Row>> {
  return new Promise<QueryResult<Row>>((resolve, reject) => {
    const callback = (error: Error | null, result: QueryResult<Row>) => (error ? reject(error) : resolve(result));
    client.query(Object.assign(new pg.Query(text, values), { name, callback }));
  });
}

/** As the driver does: who sent a statement says more than where in the socket's stream its refusal was found. To be called by who awaits it. */
export function traceSender(error: unknown): void {
  if (error instanceof Error) Error.captureStackTrace(error);
}

/**
 * Holds back what is sent on the connection in this turn of the event loop, so that it goes out in one piece: a write to the socket,
 * which wakes the database, costs as much as a query.
 * @param sent is called when it goes out
 */
export function gather(client: ClientBase, sent: () => void): void {
  const stream = streamOf(client);
  stream.cork();
  process.nextTick(() => {
    sent();
    stream.uncork();
  });
}

/** Ends a connection without asking the database, which may not answer any more. What is under way on it fails, with the reason if one is given. */
export function sever(client: ClientBase, reason?: Error): void {
  streamOf(client).destroy(reason);
}

/** What a statement may end with, in any of the ways there are to send one. */
type Callback = (error: Error | null, result?: unknown) => void;

/**
 * Lets `begin` hear of every statement on the connection, and what it returns when the statement has ended. Each way that pg has of
 * sending one goes through `query`: text or object, with a callback, a promise, or a query object of the sender's own.
 */
export function watchStatements(client: ClientBase, begin: (query: Query) => ((error?: Error | null) => void) | null): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]): unknown => {
    const query = args[0] as string | (Query & { callback?: Callback });
    const end = begin(typeof query === 'string' ? { text: query } : query);
    if (!end) return send(...args);
    const ending =
      (callback: Callback): Callback =>
      (error, result) => {
        end(error);
        callback(error, result);
      };
    const last = args.length - 1;
    if (typeof args[last] === 'function') args[last] = ending(args[last] as Callback);
    else if (typeof query === 'object' && query.callback) query.callback = ending(query.callback);
    else {
      const result = send(...args);
      Promise.resolve(result).then(() => end(), end);
      return result;
    }
    return send(...args);
  };
  Object.assign(client, { query: watched });
}

/** Whether the connection is being opened, or has been asked something it has not answered yet. */
export function isWaiting(client: ClientBase): boolean {
  const { _connected, _activeQuery, _sentQueryQueue, _queryQueue } = client as unknown as Waiting;
  return !_connected || Boolean(_activeQuery) || _sentQueryQueue.length + _queryQueue.length > 0;
}

interface Waiting {
  _connected: boolean;
  _activeQuery: unknown;
  _sentQueryQueue: unknown[];
  _queryQueue: unknown[];
}

/** Bytes that have come by the connection since it was opened. */
export function bytesRead(client: ClientBase): number {
  return streamOf(client).bytesRead;
}

/** Whether the connection was given up before it was open, which a pool does when it has waited long enough. */
export function isSevered(client: ClientBase): boolean {
  return streamOf(client).destroyed;
}

/** Which host the connection goes to when it is opened. */
export function aimAt(client: ClientBase, host: string, port: number): void {
  Object.assign(client, { host, port });
}

/** Hears of the settings that the server reports while the connection is opened, and whenever one changes. */
export function onSetting(client: ClientBase, hear: (name: string, value: string) => void): void {
  messagesOf(client).on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) =>
    hear(parameterName, parameterValue),
  );
}

/** Hears of each refusal of the server, before whoever asked does. */
export function onRefusal(client: ClientBase, hear: (code: string | undefined) => void): void {
  messagesOf(client).on('errorMessage', ({ code }: { code?: string }) => hear(code));
}

/** What the server sends, a message an event. */
function messagesOf(client: ClientBase): EventEmitter {
  return (client as unknown as { connection: EventEmitter }).connection;
}

/** The socket of a connection. */
function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
