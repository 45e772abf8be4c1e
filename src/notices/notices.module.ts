import { Module } from '@nestjs/common';
import { BotModule } from '../groups/bot/bot.module.js';
import { NoticeChats } from './chats/notice-chats.service.js';
import { NewOrders } from './new-orders.service.js';
import { PushKeys } from './push/push-keys.service.js';
import { PushSender } from './push/push-sender.js';
import { PushSubscriptions } from './push/push-subscriptions.service.js';

/** Tells the members of a store of new orders, in their browsers and by the store's bot. */
@Module({
  imports: [BotModule],
  providers: [NewOrders, NoticeChats, PushKeys, PushSender, PushSubscriptions],
  exports: [NewOrders, NoticeChats, PushKeys, PushSubscriptions],
})
export class NoticesModule {}
