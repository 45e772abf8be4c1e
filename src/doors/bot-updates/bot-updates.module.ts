import { Module } from '@nestjs/common';
import { BotModule } from '../../groups/bot/bot.module.js';
import { CustomersModule } from '../../groups/customers/customers.module.js';
import { NoticesModule } from '../../notices/notices.module.js';
import { OrdersModule } from '../../groups/orders/orders.module.js';
import { PaymentsModule } from '../../groups/payments/payments.module.js';
import { BotReplies } from './bot-replies.service.js';
import { BotUpdatesController } from './bot-updates.controller.js';
import { BotUpdates } from './bot-updates.service.js';
import { MemberChats } from './member-chats.service.js';
import { Payments } from './payments.service.js';
import { Welcome } from './welcome.service.js';

/**
 * Handles the messenger's updates of the stores' bots: first contacts, blocked bots and payments
 * (docs/behaviour.md §11).
 */
@Module({
  imports: [BotModule, CustomersModule, NoticesModule, OrdersModule, PaymentsModule],
  controllers: [BotUpdatesController],
  providers: [BotReplies, BotUpdates, MemberChats, Payments, Welcome],
})
export class BotUpdatesModule {}
