import type { EventEmitter } from 'node:events';
import type { Logger } from '../../logging/logger.js';
import { Hosts } from './hosts.js';

/**
 * Logs idle connections that are lost and hosts that are given up, until the service closes its connections
 * itself.
 */
export class IdleConnections {
  private isClosing = false;
  private readonly changes: EventEmitter;

  /** @param url the URL of the database whose hosts are watched */
  constructor(
    private readonly log: Logger,
    url: string,
  ) {
    this.changes = Hosts.of(url).changes.on('lost', this.onHostLost).on('primary', this.onPrimary);
  }

  readonly onLost = (error: Error): void => {
    // Without the stack, which only shows where the driver read the message.
    if (!this.isClosing) this.log.warn({ reason: error.message }, 'an idle database connection was lost');
  };

  private readonly onHostLost = (host: string, connections: number): void => {
    this.log.warn({ host, connections }, 'a database host is given up, and the connections to it are ended');
  };

  private readonly onPrimary = (host: string): void => {
    this.log.warn({ host }, 'another database host takes the writes');
  };

  close(): void {
    this.isClosing = true;
    this.changes.off('lost', this.onHostLost).off('primary', this.onPrimary);
  }
}
