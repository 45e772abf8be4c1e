import type { EventEmitter } from 'node:events';
import type { Logger } from '../logging/logger.js';
import { Hosts } from './hosts.js';

/** Hears of connections that end while nobody uses them, and of hosts that are given up. Once the service closes them itself, that is no news. */
export class IdleConnections {
  private isClosing = false;
  private readonly changes: EventEmitter;

  /** @param url of the database, whose hosts are heard of too */
  constructor(
    private readonly log: Logger,
    url: string,
  ) {
    this.changes = Hosts.of(url).changes.on('lost', this.onHostLost).on('primary', this.onPrimary);
  }

  readonly onLost = (error: Error): void => {
    // Where the driver read the message says nothing.
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
