import { Module } from '@nestjs/common';
import { NewOrders } from './new-orders.service.js';
import { PushKeys } from './push/push-keys.service.js';
import { PushSender } from './push/push-sender.js';
import { PushSubscriptions } from './push/push-subscriptions.service.js';

/** Tells the members of a store of new orders, in their browsers. */
@Module({
  providers: [NewOrders, PushKeys, PushSender, PushSubscriptions],
  exports: [NewOrders, PushKeys, PushSubscriptions],
})
export class NoticesModule {}
