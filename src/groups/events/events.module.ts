import { Module } from '@nestjs/common';
import { EventsController } from './events.controller.js';
import { LongPoll } from './long-poll.service.js';
import { EventsService } from './events.service.js';

@Module({ controllers: [EventsController], providers: [EventsService, LongPoll] })
export class EventsModule {}
