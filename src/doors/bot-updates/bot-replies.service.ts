import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';

/**
 * Sends the bot's replies after the update has been answered, so that the messenger never waits for itself. A
 * failure is only logged, because a shopper who sees no reply asks again.
 */
@Injectable()
export class BotReplies implements BeforeApplicationShutdown {
  private readonly underWay = new Set<Promise<void>>();

  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  /** @param what names the reply in the log */
  later(what: string, requestId: string, send: () => Promise<void>): void {
    const sent = send()
      .catch((error: unknown) => this.log.error({ err: error, requestId }, `${what} could not be sent`))
      .finally(() => this.underWay.delete(sent));
    this.underWay.add(sent);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
