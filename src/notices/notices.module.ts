import { Module } from '@nestjs/common';
import { BotModule } from '../groups/bot/bot.module.js';
import { NoticeChats } from './chats/notice-chats.service.js';
import { NewOrders } from './new-orders.service.js';

/** Tells the members of a store of new orders, by the store's bot. */
@Module({
  imports: [BotModule],
  providers: [NewOrders, NoticeChats],
  exports: [NewOrders, NoticeChats],
})
export class NoticesModule {}
