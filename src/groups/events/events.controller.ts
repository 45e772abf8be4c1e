import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { ChangeRecord, ListChangesInput, EventRecord, FeedInput } from './events.dto.js';
import { ChangesService } from './changes.service.js';
import { EventsService } from './events.service.js';

@Controller('v1')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly changes: ChangesService,
  ) {}

  @Operation({
    name: 'list_events',
    scope: 'read',
    summary: 'List order events',
    description:
      'List order events of the last 30 days, oldest first, each exactly once: keep nextCursor. Same ' +
      'envelopes as webhooks.',
    input: FeedInput,
    output: EventRecord,
    list: 'feed',
    beyond: true,
  })
  list(ctx: StoreContext, input: FeedInput) {
    return this.events.list(ctx, input);
  }

  @Operation({
    name: 'list_changes',
    scope: 'read',
    summary: 'List changed records',
    description:
      'List which records changed in the last 30 days, oldest first: keep nextCursor. ' +
      "A variant's change is its product's.",
    input: ListChangesInput,
    output: ChangeRecord,
    list: 'feed',
    beyond: true,
  })
  listChanges(ctx: StoreContext, input: ListChangesInput) {
    return this.changes.list(ctx, input);
  }
}
