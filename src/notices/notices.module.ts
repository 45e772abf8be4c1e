import { Module } from '@nestjs/common';
import { BotModule } from '../groups/bot/bot.module.js';
import { NoticeChats } from './chats/notice-chats.service.js';
import { ApprovalNotices } from './approval-notices.service.js';
import { NewOrders } from './new-orders.service.js';
import { ShopperMessages } from './shoppers/shopper-messages.service.js';

/** Tells members of new orders, and shoppers of their orders, by the store's bot. */
@Module({
  imports: [BotModule],
  providers: [ApprovalNotices, NewOrders, NoticeChats, ShopperMessages],
  exports: [ApprovalNotices, NewOrders, NoticeChats, ShopperMessages],
})
export class NoticesModule {}
