import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Messenger, MessengerUnavailable, TokenRefused } from '../../messenger/messenger.js';
import { changedFields } from '../../platform/store/audit.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BotCredentials, type StoreBot } from './bot-credentials.service.js';
import type { BotRecord, ConnectBotInput } from './bot.dto.js';
import { FORGET_BOT, NOTE_SHIPPING_QUERIES } from './bot.statements.js';

const WEBHOOK_SECRET_BYTES = 32;

@Injectable()
export class BotService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly messenger: Messenger,
    private readonly credentials: BotCredentials,
  ) {}

  async get(ctx: StoreContext): Promise<BotRecord> {
    return recordOf(await this.credentials.find(ctx));
  }

  /**
   * Whose token it is is asked before there is a transaction. Then the row is written before the messenger hears of the webhook: row-level
   * security hides the bots of other stores, so that only the unique index can show that one has this bot, and its updates must not
   * come here before that is known. The transaction waits for that one call, at most the 10 s of Messenger.setWebhook, and is rolled
   * back with a refusal, so what was connected before stays (docs/behaviour.md §6.9). A claim committed beforehand would spare the
   * wait of a rare call, at the price of claims that a stopped process leaves behind.
   * A bot that is connected again keeps its webhook secret: were it a new one, a call that fails after the messenger took it would
   * leave the store refusing its own bot's updates.
   */
  async connect(ctx: StoreContext, { token }: ConnectBotInput): Promise<BotRecord> {
    const identity = await this.messenger.identify(token).catch(refuse);
    const before = await this.credentials.lock(ctx);
    const isSameBot = before?.botId === identity.botId;
    const webhookSecret = isSameBot ? before.webhookSecret : randomBytes(WEBHOOK_SECRET_BYTES).toString('base64url');
    const bot: StoreBot = { ...identity, token, webhookSecret, connectedAt: ctx.now(), takesShippingQueries: true };
    await this.credentials.save(ctx, bot);
    await this.messenger.setWebhook(token, this.webhookUrl(ctx), webhookSecret).catch(refuse);
    if (before && !isSameBot) ctx.session.onCommit(() => this.release(ctx, before, 'replaced'));
    ctx.audit.target = `bot:${bot.botId}`;
    ctx.audit.changes = changedFields(before ? recordOf(before) : {}, { ...identity, connectedAt: bot.connectedAt });
    return recordOf(bot);
  }

  /** Forgets the bot's token, and has the messenger send its updates nowhere. Without a bot nothing is done. */
  async disconnect(ctx: StoreContext): Promise<BotRecord> {
    const before = await this.credentials.lock(ctx);
    const after = recordOf(null);
    if (before) {
      ctx.session.send(FORGET_BOT);
      ctx.session.onCommit(() => this.release(ctx, before, 'disconnected'));
      ctx.audit.target = `bot:${before.botId}`;
      ctx.audit.changes = changedFields(recordOf(before), after);
    }
    return after;
  }

  /** Has the messenger send shipping queries to a bot that was connected before it was asked for them. @throws as Messenger.setWebhook */
  async takeShippingQueries(ctx: StoreContext, bot: StoreBot): Promise<void> {
    if (bot.takesShippingQueries) return;
    await this.messenger.setWebhook(bot.token, this.webhookUrl(ctx), bot.webhookSecret);
    await ctx.session.run(NOTE_SHIPPING_QUERIES, bot.botId);
    await ctx.session.commit();
  }

  private webhookUrl(ctx: StoreContext): string {
    return `${this.config.baseUrl}/messenger/${ctx.storeId}`;
  }

  /** A bot that the store has let go sends nothing here any more. Its updates would be refused, so a failure harms nobody. */
  private async release(ctx: StoreContext, { token, botId }: StoreBot, how: 'replaced' | 'disconnected'): Promise<void> {
    await this.messenger
      .deleteWebhook(token)
      .catch((error: unknown) => ctx.log.warn({ err: error, botId }, `the webhook of a ${how} bot could not be removed`));
  }
}

/**
 * An outage of the messenger is answered 400 too: the codes are exactly those of the specification (docs/behaviour.md §1.3), and of them
 * only invalid_input says to the caller that the call did nothing and why; internal_error would hide both.
 */
function refuse(error: unknown): never {
  if (error instanceof TokenRefused) throw invalidInput('token was refused by the messenger; nothing was changed');
  if (!(error instanceof MessengerUnavailable)) throw error;
  throw invalidInput(
    `token could not be connected, nothing was changed: the messenger could not be reached or did not take the call (${error.message})`,
  );
}

function recordOf(bot: StoreBot | null): BotRecord {
  if (!bot) return { connected: false, username: null, botId: null, connectedAt: null };
  return { connected: true, username: bot.username, botId: bot.botId, connectedAt: bot.connectedAt };
}
