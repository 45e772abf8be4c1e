import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/operation.decorator.js';
import { NoInput } from '../../platform/schema/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BotMessages } from './bot-messages.service.js';
import { BotRecord, ConnectBotInput, UpdateWelcomeMessageInput, WelcomeMessageRecord } from './bot.dto.js';
import { BotService } from './bot.service.js';

@Controller('v1')
export class BotController {
  constructor(
    private readonly bot: BotService,
    private readonly messages: BotMessages,
  ) {}

  @Operation({
    name: 'get_bot',
    scope: 'read',
    summary: 'Get the store bot',
    description: "Tell whether the store's messenger bot is connected, its username, id and since when. Never returns the token.",
    input: NoInput,
    output: BotRecord,
  })
  get(ctx: StoreContext, _input: NoInput) {
    return this.bot.get(ctx);
  }

  @Operation({
    name: 'connect_bot',
    scope: 'write',
    summary: 'Connect the store bot',
    description:
      "Connect a messenger bot by its token, in place of the one before; checks the token first. Returns the bot's username and id.",
    input: ConnectBotInput,
    output: BotRecord,
    idempotent: true,
    openWorld: true,
  })
  connect(ctx: StoreContext, input: ConnectBotInput) {
    return this.bot.connect(ctx, input);
  }

  @Operation({
    name: 'get_welcome_message',
    scope: 'read',
    summary: 'Get the welcome message',
    description: 'Get what the store bot says to a new shopper: text, image and button text. Defaults when none is stored.',
    input: NoInput,
    output: WelcomeMessageRecord,
  })
  welcomeMessage(ctx: StoreContext, _input: NoInput) {
    return this.messages.find(ctx, 'welcome');
  }

  @Operation({
    name: 'update_welcome_message',
    scope: 'write',
    summary: 'Update the welcome message',
    description: 'Change what the store bot says to a new shopper: text, image or button text. Returns the message.',
    input: UpdateWelcomeMessageInput,
    output: WelcomeMessageRecord,
    idempotent: true,
    ifMatch: true,
    beyond: true,
  })
  updateWelcomeMessage(ctx: StoreContext, input: UpdateWelcomeMessageInput) {
    return this.messages.updateWelcome(ctx, input);
  }
}
