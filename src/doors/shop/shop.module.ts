import { Module } from '@nestjs/common';
import { BotModule } from '../../groups/bot/bot.module.js';
import { SettingsModule } from '../../groups/settings/settings.module.js';
import { ShopPagesController } from './shop-pages.controller.js';

@Module({ imports: [BotModule, SettingsModule], controllers: [ShopPagesController] })
export class ShopModule {}
