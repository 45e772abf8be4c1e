import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { BotMessages } from '../../../groups/bot/bot-messages.service.js';
import {
  BotAppInput,
  BotAppRecord,
  BotMessageInput,
  BotMessageRecord,
  BotRecord,
  ShopLinksInput,
  ShopLinksRecord,
  UpdateBotMessageInput,
} from '../../../groups/bot/bot.dto.js';
import { ShopLinks } from '../../../groups/bot/shop-links.service.js';
import { MenuButton } from '../../../groups/bot/menu-button.service.js';
import { BotService } from '../../../groups/bot/bot.service.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const PATH = 'stores/:storeId/bot';
const MESSAGE = `${PATH}/messages/:kind`;

/**
 * Routes of the store's bot in addition to get_bot, connect_bot and the operations of the welcome message.
 */
@Controller(API_PATH)
export class BotController {
  constructor(
    private readonly bot: BotService,
    private readonly messages: BotMessages,
    private readonly menu: MenuButton,
    private readonly links: ShopLinks,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: MESSAGE,
    groups: 'bot',
    summary: 'Get what the bot says to a new shopper, or of an order',
    input: BotMessageInput,
    output: BotMessageRecord,
  })
  async message(ctx: StoreContext, { kind }: BotMessageInput) {
    return { kind, ...(await this.messages.find(ctx, kind)) };
  }

  @Operation({
    door: DASHBOARD,
    method: 'PUT',
    path: MESSAGE,
    groups: 'bot',
    summary: 'Change what the bot says to a new shopper, or of an order, and whether it says it',
    description:
      'Fields that are not given keep their value. Carrier and tracking number are added to the shipped ' +
      'message.',
    input: UpdateBotMessageInput,
    output: BotMessageRecord,
    audited: 'bot.update_message',
    ifMatch: true,
  })
  async update(ctx: StoreContext, { kind, ...message }: UpdateBotMessageInput) {
    return { kind, ...(await this.messages.update(ctx, kind, message)) };
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: `${PATH}/app`,
    groups: 'bot',
    summary: "Get what the bot's buttons open, and whether its menu button is set",
    output: BotAppRecord,
  })
  app(ctx: StoreContext) {
    return this.menu.get(ctx);
  }

  @Operation({
    door: DASHBOARD,
    method: 'PUT',
    path: `${PATH}/app`,
    groups: 'bot',
    summary: "Say what the bot's buttons open, and set its menu button",
    input: BotAppInput,
    output: BotAppRecord,
    audited: 'bot.set_app',
  })
  chooseApp(ctx: StoreContext, input: BotAppInput) {
    return this.menu.choose(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/shop',
    groups: 'every',
    summary: 'Get the links by which the shop is seen as a shopper sees it',
    input: ShopLinksInput,
    output: ShopLinksRecord,
  })
  shop(ctx: StoreContext, { productId }: ShopLinksInput) {
    return this.links.get(ctx, productId);
  }

  @Operation({
    door: DASHBOARD,
    method: 'DELETE',
    path: PATH,
    groups: 'bot',
    summary: 'Disconnect the bot of the store, and forget its token',
    description:
      'Its updates are sent here no more, as far as the messenger can be reached. Until a bot is ' +
      'connected, the Mini App, the bot and campaigns do not work. Without a bot nothing is done.',
    output: BotRecord,
    audited: 'bot.disconnect',
  })
  disconnect(ctx: StoreContext) {
    return this.bot.disconnect(ctx);
  }
}
