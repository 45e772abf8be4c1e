import type { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import pg, { type ClientBase, type Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/**
 * The only place that uses undeclared parts of pg and TypeORM. Each function is one such use. Why it is
 * needed, and what to check when either library is upgraded, is in docs/decisions/0009-library-internals.md.
 */

/** A statement as it is passed to the driver. A named one is prepared once per connection. */
export interface Query {
  name?: string;
  text: string;
  values?: unknown[];
}

/** TypeORM's pool. Our own statements run on the same connections. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/**
 * TypeORM's manager on a connection with an open transaction. It neither takes another connection nor begins
 * a transaction.
 */
export function managerOn(dataSource: DataSource, client: PoolClient): EntityManager {
  const runner = dataSource.createQueryRunner();
  Object.assign(runner, { databaseConnection: client, isTransactionActive: true, transactionDepth: 1 });
  return runner.manager;
}

/**
 * Does what `client.query(query)` does, but faster: there the driver copies the object, property descriptor
 * by property descriptor, which costs more than reading a short answer. It takes a query object of its own
 * class as it is. `traceSender` gives an error the stack trace that the driver would.
 */
export function submit<Row extends QueryResultRow>(
  client: ClientBase,
  { name, text, values }: Query,
): Promise<QueryResult<Row>> {
  return new Promise<QueryResult<Row>>((resolve, reject) => {
    const callback = (error: Error | null, result: QueryResult<Row>) =>
      error ? reject(error) : resolve(result);
    client.query(Object.assign(new pg.Query(text, values), { name, callback }));
  });
}

/**
 * Replaces the stack of an error, as the driver does: the sender of the statement matters more than the
 * socket. Call it where it is awaited.
 */
export function traceSender(error: unknown): void {
  if (error instanceof Error) Error.captureStackTrace(error);
}

/**
 * Collects what is sent on the connection until later, so that it is written at once: a write to the socket,
 * which wakes the database, costs as much as a query.
 * @param later calls back: by default before the event loop goes on to the next request
 */
export function gather(client: ClientBase, later: (write: () => void) => void = process.nextTick): void {
  const stream = streamOf(client);
  if (stream.writableCorked > 0) return;
  stream.cork();
  later(() => stream.uncork());
}

/**
 * Ends a connection without asking the database, which may no longer answer. Statements under way fail, with
 * the reason if one is given.
 */
export function sever(client: ClientBase, reason?: Error): void {
  streamOf(client).destroy(reason);
}

/**
 * Asks the server, or the pooler before it, to end the statement that is under way on the connection: the
 * protocol's CancelRequest, on a connection of its own. It may come late and hit the next statement, so the
 * connection must not be used for another transaction.
 */
export function cancel(client: ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Cancellable;
  const request = Buffer.alloc(16);
  [request.length, CANCEL_REQUEST, processID, secretKey].forEach((word, i) =>
    request.writeInt32BE(word, 4 * i),
  );
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(CANCEL_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    // The other side ends the connection: PgBouncer 1.18 fails if the client does before it has passed it on.
    socket.write(request);
  });
}

/** The callback of a statement, in whichever way it was sent. */
type Callback = (error: Error | null, result?: unknown) => void;

/**
 * Calls `begin` for every statement on the connection, and the function it returns when the statement has
 * ended. Each way of sending a statement with pg goes through `query`: text or object, with a callback, a
 * promise, or a query object of the sender's.
 */
export function watchStatements(
  client: ClientBase,
  begin: (query: Query) => ((error?: Error | null) => void) | null,
): void {
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

/** Whether the connection is being opened, or has statements that are not answered yet. */
export function isWaiting(client: ClientBase): boolean {
  const { _connected, _activeQuery, _sentQueryQueue, _queryQueue } = client as unknown as Waiting;
  return !_connected || Boolean(_activeQuery) || _sentQueryQueue.length + _queryQueue.length > 0;
}

interface Cancellable {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
}
/** The code of the message, and how long its connection may take. */
const CANCEL_REQUEST = 80_877_102;
const CANCEL_MS = 2_000;

interface Waiting {
  _connected: boolean;
  _activeQuery: unknown;
  _sentQueryQueue: unknown[];
  _queryQueue: unknown[];
}

/** The bytes received on the connection since it was opened. */
export function bytesRead(client: ClientBase): number {
  return streamOf(client).bytesRead;
}

/** Whether the connection was given up before it was open, as a pool does after its time limit. */
export function isSevered(client: ClientBase): boolean {
  return streamOf(client).destroyed;
}

/**
 * Listens for each error that the server reports. The listener is called before the sender of the statement
 * gets the error.
 */
export function onRefusal(client: ClientBase, listener: (code: string | undefined) => void): void {
  messagesOf(client).on('errorMessage', ({ code }: { code?: string }) => listener(code));
}

const readOnly = new WeakSet<ClientBase>();

/** Says whether the present transaction of a connection may only read, although its server takes writes. */
export function noteReadOnly(client: ClientBase, isReadOnly: boolean): void {
  if (isReadOnly) readOnly.add(client);
  else readOnly.delete(client);
}

export const isNotedReadOnly = (client: ClientBase) => readOnly.has(client);

/** The messages of the server, as events. */
function messagesOf(client: ClientBase): EventEmitter {
  return (client as unknown as { connection: EventEmitter }).connection;
}

/** The socket of a connection. */
function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
