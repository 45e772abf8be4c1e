import type { EventEmitter } from 'node:events';
import type { Logger } from '../../logging/logger.js';
import { Server } from './server.js';

/** Logs connections that are lost while idle or given up, until the service closes its connections itself. */
export class IdleConnections {
  private isClosing = false;
  private readonly changes: EventEmitter;

  /** @param url the URL of the database whose server is watched */
  constructor(
    private readonly log: Logger,
    url: string,
  ) {
    this.changes = Server.of(url).changes.on('lost', this.onServerLost);
  }

  readonly onLost = (error: Error): void => {
    // Without the stack, which only shows where the driver read the message.
    if (!this.isClosing) this.log.warn({ reason: error.message }, 'an idle database connection was lost');
  };

  private readonly onServerLost = (connections: number): void => {
    this.log.warn({ connections }, 'the database does not answer, and the connections to it are ended');
  };

  close(): void {
    this.isClosing = true;
    this.changes.off('lost', this.onServerLost);
  }
}
