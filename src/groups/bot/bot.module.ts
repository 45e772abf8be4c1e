import { Module } from '@nestjs/common';
import { BotCredentials } from './bot-credentials.service.js';
import { BotMessages } from './bot-messages.service.js';
import { BotController } from './bot.controller.js';
import { BotService } from './bot.service.js';
import { DemoShopper } from './demo-shopper.service.js';
import { MenuButton } from './menu-button.service.js';
import { ShopLinks } from './shop-links.service.js';
import { ShopperNotifier } from './shopper-notifier.service.js';

@Module({
  controllers: [BotController],
  providers: [BotCredentials, BotMessages, BotService, DemoShopper, MenuButton, ShopLinks, ShopperNotifier],
  exports: [BotCredentials, BotMessages, BotService, DemoShopper, MenuButton, ShopLinks, ShopperNotifier],
})
export class BotModule {}
