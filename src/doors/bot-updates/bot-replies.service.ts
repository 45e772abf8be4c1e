import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Messenger, type OutgoingMessage, type SendOutcome } from '../../messenger/messenger.js';
import { SendRate } from '../../messenger/send-rate.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import type { BotSender } from './bot-sender.guard.js';

const SEND_TIMEOUT_MS = 8_000;

/**
 * Sends the bot's replies after the update has been answered, so that the messenger never waits for itself. A
 * failure is only logged, because a shopper who sees no reply asks again.
 */
@Injectable()
export class BotReplies implements BeforeApplicationShutdown {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly messenger: Messenger,
    private readonly rate: SendRate,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Sends a message at the bot's rate. */
  async send({ bot }: BotSender, chatId: string, message: OutgoingMessage): Promise<SendOutcome> {
    await this.rate.take(bot.botId);
    return this.messenger.sendMessage(bot.token, chatId, message, { timeoutMs: SEND_TIMEOUT_MS });
  }

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
