import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/operation.decorator.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { EventRecord, FeedInput } from './events.dto.js';
import { EventsService } from './events.service.js';

@Controller('v1')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Operation({
    name: 'list_events',
    scope: 'read',
    summary: 'List order events',
    description:
      'List order events of the last 30 days, oldest first, each exactly once: keep nextCursor and pass it ' +
      'next time. Same envelopes as webhooks.',
    input: FeedInput,
    output: EventRecord,
    list: 'feed',
    beyond: true,
  })
  list(ctx: StoreContext, input: FeedInput) {
    return this.events.list(ctx, input);
  }
}
