import { Module } from '@nestjs/common';
import { ChangesService } from './changes.service.js';
import { WebhookDeliveriesController } from './deliveries.controller.js';
import { EventsController } from './events.controller.js';
import { LongPoll } from './long-poll.service.js';
import { EventsService } from './events.service.js';

@Module({
  controllers: [EventsController, WebhookDeliveriesController],
  providers: [ChangesService, EventsService, LongPoll],
})
export class EventsModule {}
