import { Injectable } from '@nestjs/common';
import { declareSealed } from '../../platform/crypto/sealed-columns.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { MenuButtonState, Opens } from './bot.dto.js';
import { FIND_BOT, LOCK_BOT, SAVE_BOT } from './bot.statements.js';

/** The store's bot with its decrypted secrets. It must never be returned, logged or audited. */
export interface StoreBot {
  token: string;
  /** The secret by which the messenger proves that an update comes from this bot. */
  webhookSecret: string;
  /** The public id, a 64-bit integer as text. */
  botId: string;
  username: string;
  connectedAt: Date;
  /** Whether the messenger was asked to send shipping queries. */
  takesShippingQueries: boolean;
  /** Whether the bot's owner has set a main Mini App, which `t.me/<bot>?startapp` opens. */
  hasMainApp: boolean;
  /** What the bot's buttons open, and where an app of the owner's is. */
  opens: Opens;
  appUrl: string | null;
  /** How the setting of the menu button went. */
  menuButton: MenuButtonState;
  menuDetail: string | null;
}

type Saved = 'token' | 'webhookSecret' | 'botId' | 'username' | 'connectedAt' | 'hasMainApp';

/** Stores the store's bot, with its token and webhook secret encrypted (docs/behaviour.md §6.9). */
@Injectable()
export class BotCredentials {
  constructor(private readonly secrets: SecretBox) {}

  /**
   * Returns the connected bot, or null. @throws Error if the key that sealed its secrets is no longer
   * configured
   */
  async find(ctx: StoreContext): Promise<StoreBot | null> {
    return this.opened(ctx, await ctx.session.read(FIND_BOT));
  }

  /** Returns the same, and locks the bot for the rest of the transaction. */
  async lock(ctx: StoreContext): Promise<StoreBot | null> {
    return this.opened(ctx, await ctx.session.query(LOCK_BOT));
  }

  private opened(ctx: StoreContext, [row]: RowOf<typeof FIND_BOT>[]): StoreBot | null {
    if (!row) return null;
    const { sealedToken, sealedWebhookSecret, ...bot } = row;
    return {
      ...bot,
      token: this.secrets.open(sealedToken, purpose(ctx)),
      webhookSecret: this.secrets.open(sealedWebhookSecret, purpose(ctx)),
    };
  }

  /**
   * Replaces any bot that was connected before, in the transaction of the call.
   * @throws an error that becomes invalid_input if another store has connected the bot
   */
  async save(ctx: StoreContext, { token, webhookSecret, ...bot }: Pick<StoreBot, Saved>): Promise<void> {
    const sealedToken = this.secrets.seal(token, purpose(ctx));
    const sealedWebhookSecret = this.secrets.seal(webhookSecret, purpose(ctx));
    await ctx.session.query(SAVE_BOT, { ...bot, sealedToken, sealedWebhookSecret });
  }
}

const purposeOf = (storeId: string) => `bot:${storeId}`;
const purpose = (ctx: StoreContext) => purposeOf(ctx.storeId);

declareSealed('bots', ['sealed_token', 'sealed_webhook_secret'], (row) => purposeOf(row.store_id));
