import { Inject, Injectable } from '@nestjs/common';
import { Messenger } from '../../messenger/messenger.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { invalidInput } from '../../platform/errors.js';
import { AfterCommit } from '../../platform/schema/present.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BotCredentials, type StoreBot } from './bot-credentials.service.js';
import { BotMessages } from './bot-messages.service.js';
import type { BotAppInput, BotAppRecord } from './bot.dto.js';
import { NOTE_MENU_BUTTON, SAVE_BOT_APP } from './bot.statements.js';
import { appAddress, isHttps } from './shop-links.js';

/** In characters. Clients cut a longer text of the button. */
const MAX_TEXT = 20;
type MenuState = Pick<StoreBot, 'menuButton' | 'menuDetail'>;

/** The button beside the input field of the bot's chats, which opens the shop (docs/behaviour.md §17). */
@Injectable()
export class MenuButton {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly messenger: Messenger,
    private readonly credentials: BotCredentials,
    private readonly messages: BotMessages,
  ) {}

  async get(ctx: StoreContext): Promise<BotAppRecord> {
    const bot = await this.credentials.find(ctx);
    if (bot) return recordOf(bot);
    const none = isHttps(this.config)
      ? ({ menuButton: 'failed', detail: 'No bot is connected' } as const)
      : ({ menuButton: 'not_https', detail: this.notHttps() } as const);
    return { opens: 'shop', url: null, ...none };
  }

  /**
   * Says what the bot's buttons open, and then sets the menu button, whatever it opened before.
   * @throws OperationError invalid_input if no bot is connected, or the address does not fit
   */
  async choose(ctx: StoreContext, { opens, url = null }: BotAppInput): Promise<AfterCommit<BotAppRecord>> {
    const connected = await this.credentials.find(ctx);
    if (!connected) throw invalidInput('opens: connect a bot first').about('no_bot', { path: 'opens' });
    if (opens === 'app' && !url?.startsWith('https:'))
      throw invalidInput('url must be an https address').about('https', { path: 'url' });
    if (opens !== 'app' && url !== null)
      throw invalidInput('url must not be given: only opens app has one').about('no_button_address', {
        path: 'url',
      });
    const { hasMainApp } = await this.messenger.identify(connected.token).catch(() => connected);
    const before = await this.credentials.lock(ctx);
    if (before?.botId !== connected.botId)
      throw invalidInput('opens: another bot was connected meanwhile; nothing was changed').about(
        'changed_meanwhile',
        { path: 'opens' },
      );
    ctx.session.enqueue(SAVE_BOT_APP, { opens, appUrl: url, hasMainApp });
    ctx.audit.target = `bot:${before.botId}`;
    ctx.audit.changes = { opens: [before.opens, opens], url: [before.appUrl, url] };
    const bot: StoreBot = { ...before, opens, appUrl: url, hasMainApp };
    return new AfterCommit(
      async () => recordOf({ ...bot, ...(await this.set(ctx, bot, before)) }),
      recordOf(bot),
    );
  }

  /**
   * Makes the button open what the store has chosen, and notes how that went. A button that opens an app of
   * somebody else's was set on purpose and stays, unless the owner asks for ours. Never throws.
   * @param before the bot before the owner chose; null if nobody asked for the button
   */
  async set(ctx: StoreContext, bot: StoreBot, before: StoreBot | null = null): Promise<MenuState> {
    const state = await this.trySet(ctx, bot, before).catch((error: unknown): MenuState => {
      ctx.log.warn({ err: error, botId: bot.botId }, 'the menu button of a bot could not be set');
      return {
        menuButton: 'failed',
        menuDetail: error instanceof Error ? error.message.slice(0, 500) : null,
      };
    });
    await ctx.session.query(NOTE_MENU_BUTTON, { botId: bot.botId, ...state });
    await ctx.session.commit();
    return state;
  }

  private async trySet(ctx: StoreContext, bot: StoreBot, before: StoreBot | null): Promise<MenuState> {
    const url = appAddress(this.config, ctx.storeId, bot);
    if (url === null && bot.opens === 'shop') return { menuButton: 'not_https', menuDetail: this.notHttps() };
    const opened = await this.messenger.menuApp(bot.token);
    const isOurs = opened === null || [bot, before].some((one) => one && this.isOurs(opened, one));
    if (!isOurs && !before) return { menuButton: 'other', menuDetail: `It opens ${opened}` };
    if (url === null) {
      if (isOurs && opened !== null) await this.messenger.setMenuApp(bot.token, null);
      return { menuButton: 'set', menuDetail: null };
    }
    const { message, words } = await this.messages.findInWords(ctx, 'welcome');
    const text = Array.from(message.buttonText ?? words.openShop)
      .slice(0, MAX_TEXT)
      .join('');
    await this.messenger.setMenuApp(bot.token, { text, url });
    return { menuButton: 'set', menuDetail: null };
  }

  /** Gives the button of a bot that goes back to the messenger, if it is ours. */
  async release(bot: StoreBot): Promise<void> {
    if (bot.menuButton !== 'set' || bot.opens === 'nothing') return;
    const opened = await this.messenger.menuApp(bot.token);
    if (opened !== null && this.isOurs(opened, bot)) await this.messenger.setMenuApp(bot.token, null);
  }

  private isOurs(url: string, { appUrl }: StoreBot): boolean {
    return url === appUrl || url.startsWith(`${this.config.baseUrl}/shop/`);
  }

  private notHttps(): string {
    return (
      `The messenger opens https addresses only, and BASE_URL is ${this.config.baseUrl}. To try it from a ` +
      'desk, use a tunnel and set BASE_URL to its https address.'
    );
  }
}

const recordOf = ({ opens, appUrl, menuButton, menuDetail }: StoreBot): BotAppRecord => ({
  ...{ opens, url: appUrl, menuButton, detail: menuDetail },
});
