import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/operation.decorator.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { EventRecord } from './events.dto.js';
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
    input: PageInput,
    output: EventRecord,
    list: true,
    beyond: true,
  })
  list(ctx: StoreContext, input: PageInput) {
    return this.events.list(ctx, input);
  }
}
