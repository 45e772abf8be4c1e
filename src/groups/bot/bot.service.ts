import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Messenger, MessengerUnavailable, TokenRefused } from '../../messenger/messenger.js';
import { changedFields } from '../../platform/store/audit.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { invalidInput } from '../../platform/errors.js';
import { AfterCommit } from '../../platform/schema/present.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BotClaims } from '../../stores/bot-claims.service.js';
import { MenuButton } from './menu-button.service.js';
import { BotCredentials, type StoreBot } from './bot-credentials.service.js';
import type { BotRecord, ConnectBotInput } from './bot.dto.js';
import { FORGET_BOT, NOTE_SHIPPING_QUERIES } from './bot.statements.js';

const WEBHOOK_SECRET_BYTES = 32;

/** The bot of a token, whose updates the messenger now sends; `end` ends the claim on it. */
export interface AskedBot extends Pick<StoreBot, 'botId' | 'username' | 'webhookSecret' | 'hasMainApp'> {
  end(): Promise<void>;
}

@Injectable()
export class BotService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly messenger: Messenger,
    private readonly credentials: BotCredentials,
    private readonly claims: BotClaims,
    private readonly menu: MenuButton,
  ) {}

  async get(ctx: StoreContext): Promise<BotRecord> {
    return recordOf(await this.credentials.find(ctx));
  }

  /**
   * What is asked of the messenger, before there is a transaction: until its webhook is set, the bot is the
   * call's alone, because the updates of a bot that another store has must not be sent here. If the messenger
   * refuses, or the process dies, the previous bot stays connected (docs/behaviour.md §6.9). A bot that is
   * connected again keeps its webhook secret. With a new one, a call that fails after the messenger has
   * accepted the secret would make the store refuse the updates of its own bot.
   * @param isRepeat whether another call has done it by now under the key of this one
   * @returns null then
   */
  async ask(
    ctx: StoreContext,
    { token }: ConnectBotInput,
    isRepeat: () => Promise<boolean>,
  ): Promise<AskedBot | null> {
    const startedAt = ctx.now();
    const found = await this.credentials.find(ctx);
    const claim = await this.claims.take(ctx.storeId, token.split(':')[0]);
    try {
      if (await isRepeat()) {
        await claim.end();
        return null;
      }
      const before = await this.credentials.find(ctx);
      // Another call has asked and connected it since this one began.
      const since = Math.min(startedAt.getTime(), found ? found.connectedAt.getTime() + 1 : 0);
      const isConnected = before?.token === token && before.connectedAt.getTime() >= since;
      if (isConnected && (claim.hasWaited || !found)) return { ...before, end: claim.end };
      const identity = await this.messenger.identify(token).catch(refuse);
      await claim.prove();
      const webhookSecret =
        before?.botId === identity.botId
          ? before.webhookSecret
          : randomBytes(WEBHOOK_SECRET_BYTES).toString('base64url');
      await this.messenger.setWebhook(token, this.webhookUrl(ctx), webhookSecret).catch(refuse);
      return { ...identity, webhookSecret, end: claim.end };
    } catch (error) {
      await claim.end();
      throw error;
    }
  }

  async connect(
    ctx: StoreContext,
    { token }: ConnectBotInput,
    asked: AskedBot,
  ): Promise<AfterCommit<BotRecord>> {
    const { botId, username, webhookSecret, hasMainApp } = asked;
    const before = await this.credentials.lock(ctx);
    const connectedAt = ctx.now();
    const bot = { botId, username, token, webhookSecret, connectedAt, hasMainApp };
    await this.credentials.save(ctx, bot);
    if (before && before.botId !== botId) ctx.session.onCommit(() => this.release(ctx, before, 'replaced'));
    ctx.audit.target = `bot:${botId}`;
    ctx.audit.changes = changedFields(before ? recordOf(before) : {}, { botId, username, connectedAt });
    const record = recordOf(bot);
    return new AfterCommit(async () => {
      const saved = await this.credentials.find(ctx);
      if (saved?.botId === botId) await this.menu.set(ctx, saved);
      return record;
    }, record);
  }

  /**
   * Deletes the bot's token and makes the messenger stop sending its updates. Does nothing if no bot is
   * connected.
   */
  async disconnect(ctx: StoreContext): Promise<BotRecord> {
    const before = await this.credentials.lock(ctx);
    const after = recordOf(null);
    if (before) {
      ctx.session.enqueue(FORGET_BOT);
      ctx.session.onCommit(() => this.release(ctx, before, 'disconnected'));
      ctx.audit.target = `bot:${before.botId}`;
      ctx.audit.changes = changedFields(recordOf(before), after);
    }
    return after;
  }

  /**
   * Makes the messenger send shipping queries to a bot that was connected before this was requested.
   * @throws as Messenger.setWebhook
   */
  async takeShippingQueries(ctx: StoreContext, bot: StoreBot): Promise<void> {
    if (bot.takesShippingQueries) return;
    await this.messenger.setWebhook(bot.token, this.webhookUrl(ctx), bot.webhookSecret);
    await ctx.session.query(NOTE_SHIPPING_QUERIES, { botId: bot.botId });
    await ctx.session.commit();
  }

  private webhookUrl(ctx: StoreContext): string {
    return `${this.config.baseUrl}/messenger/${ctx.storeId}`;
  }

  /**
   * Removes the menu button and the webhook of a bot that the store no longer uses. A failure is only logged,
   * because the updates would be refused.
   */
  private async release(ctx: StoreContext, bot: StoreBot, how: 'replaced' | 'disconnected'): Promise<void> {
    const { token, botId } = bot;
    await this.menu
      .release(bot)
      .catch((error: unknown) =>
        ctx.log.warn({ err: error, botId }, `the menu button of a ${how} bot could not be removed`),
      );
    await this.messenger
      .deleteWebhook(token)
      .catch((error: unknown) =>
        ctx.log.warn({ err: error, botId }, `the webhook of a ${how} bot could not be removed`),
      );
  }
}

/**
 * An outage of the messenger is also answered with 400. The only codes are those of the specification
 * (docs/behaviour.md §1.3), and of these only invalid_input tells the caller that the call did nothing, and
 * why. internal_error would hide both.
 */
function refuse(error: unknown): never {
  if (error instanceof TokenRefused)
    throw invalidInput('token was refused by the messenger; nothing was changed').about('token_refused', {
      path: 'token',
    });
  if (!(error instanceof MessengerUnavailable)) throw error;
  throw invalidInput(
    'token could not be connected, nothing was changed: the messenger could not be reached ' +
      `or did not take the call (${error.message})`,
  ).about('messenger_said', {
    path: 'token',
    why: error.message.replace(/^the messenger answered \d+: /, ''),
  });
}

function recordOf(bot: Pick<StoreBot, 'botId' | 'username' | 'connectedAt'> | null): BotRecord {
  if (!bot) return { connected: false, username: null, botId: null, connectedAt: null };
  return { connected: true, username: bot.username, botId: bot.botId, connectedAt: bot.connectedAt };
}
