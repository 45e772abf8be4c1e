import type { Logger } from '../logging/logger.js';

/** Hears of connections that end while nobody uses them. Once the service closes them itself, that is no news. */
export class IdleConnections {
  private isClosing = false;

  constructor(private readonly log: Logger) {}

  readonly onLost = (error: Error): void => {
    // Where the driver read the message says nothing.
    if (!this.isClosing) this.log.warn({ reason: error.message }, 'an idle database connection was lost');
  };

  close(): void {
    this.isClosing = true;
  }
}
