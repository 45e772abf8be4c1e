import { Module } from '@nestjs/common';
import { BotModule } from '../bot/bot.module.js';
import { CampaignHistory } from './campaign-history.service.js';
import { CampaignSender } from './campaign-sender.service.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsService } from './campaigns.service.js';

@Module({
  imports: [BotModule],
  controllers: [CampaignsController],
  providers: [CampaignHistory, CampaignSender, CampaignsService],
  exports: [CampaignHistory],
})
export class CampaignsModule {}
