import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { NoInput } from '../../platform/schema/pages/page.dto.js';
import type { Question } from '../../platform/store/question.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BotMessages } from './bot-messages.service.js';
import { BotRecord, ConnectBotInput, UpdateWelcomeMessageInput, WelcomeMessageRecord } from './bot.dto.js';
import { type AskedBot, BotService } from './bot.service.js';

const asksToConnect: Question = () =>
  Promise.resolve('Connect another bot, through which the store talks to its shoppers from now on?');

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
    description: "Get the store's messenger bot: whether it is connected, its username and id.",
    input: NoInput,
    output: BotRecord,
  })
  get(ctx: StoreContext, _input: NoInput) {
    return this.bot.get(ctx);
  }

  @Operation({
    name: 'connect_bot',
    preview: 'none',
    scope: 'write',
    summary: 'Connect the store bot',
    description: 'Connect a messenger bot by its token, in place of the present one.',
    input: ConnectBotInput,
    output: BotRecord,
    idempotent: true,
    openWorld: true,
    asks: asksToConnect,
    before: 'ask',
  })
  connect(ctx: StoreContext, input: ConnectBotInput, _caller: unknown, asked: AskedBot) {
    return this.bot.connect(ctx, input, asked);
  }

  ask(ctx: StoreContext, input: ConnectBotInput, _caller: unknown, isRepeat: () => Promise<boolean>) {
    return this.bot.ask(ctx, input, isRepeat);
  }

  @Operation({
    name: 'get_welcome_message',
    scope: 'read',
    summary: 'Get the welcome message',
    description: 'Get the text, image and button that the store bot sends to a new shopper.',
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
    description: 'Change the text, image or button that the store bot sends to a new shopper.',
    input: UpdateWelcomeMessageInput,
    output: WelcomeMessageRecord,
    idempotent: true,
    ifMatch: true,
    beyond: true,
  })
  updateWelcomeMessage(ctx: StoreContext, input: UpdateWelcomeMessageInput) {
    return this.messages.update(ctx, 'welcome', input);
  }
}
