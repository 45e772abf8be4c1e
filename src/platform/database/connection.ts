import type { Writable } from 'node:stream';
import type { ClientBase, ClientConfig } from 'pg';

/** How every connection of the service is opened: pipelining, and with limits on a statement and on connecting, in milliseconds. */
export const CONNECTION = {
  pipeline: true,
  statement_timeout: 30_000,
  connectionTimeoutMillis: 10_000,
} satisfies ClientConfig & { pipeline: true };

/** The socket of a connection, which the driver keeps but does not declare. */
export function streamOf(client: ClientBase): Writable {
  return (client as unknown as { connection: { stream: Writable } }).connection.stream;
}
