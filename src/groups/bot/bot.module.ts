import { Module } from '@nestjs/common';
import { BotCredentials } from './bot-credentials.service.js';
import { BotMessages } from './bot-messages.service.js';
import { BotController } from './bot.controller.js';
import { BotService } from './bot.service.js';
import { MenuButton } from './menu-button.service.js';
import { ShopperNotifier } from './shopper-notifier.service.js';

@Module({
  controllers: [BotController],
  providers: [BotCredentials, BotMessages, BotService, MenuButton, ShopperNotifier],
  exports: [BotCredentials, BotMessages, BotService, MenuButton, ShopperNotifier],
})
export class BotModule {}
