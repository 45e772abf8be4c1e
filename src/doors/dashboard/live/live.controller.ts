import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import type { Finished } from '../../../platform/schema/present.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { NoInput } from '../../../platform/schema/pages/page.dto.js';
import type { Caller } from '../caller.js';
import { LiveChangeRecord } from './live.dto.js';
import { LiveStreams } from './live-streams.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  // Without it nginx would hold events back until its buffer is full.
  'X-Accel-Buffering': 'no',
};

/** Streams the changes of a store to the people who watch it. */
@Controller(API_PATH)
export class LiveController {
  constructor(private readonly streams: LiveStreams) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/events',
    groups: 'every',
    summary: 'Stream what changes in the store, as server-sent events',
    description:
      'The first event is ready. Then come order.placed, order.changed, order.deleted, delivery.failed, ' +
      'campaign.progress and record.changed (any other record), each with a JSON object as its data; ' +
      'refetch says that some may have been missed. There are no event ids: after a reconnect, fetch what ' +
      'is shown again. A comment comes every 25 s. The stream ends when the session or the membership ' +
      'does. A person may have 20 streams open; one more is 429.',
    output: LiveChangeRecord,
    stream: 'text/event-stream',
  })
  events(ctx: StoreContext, _input: NoInput, { call, session }: Caller): Finished {
    const { userId, tokenHash } = session!;
    const { groups = null } = call.auth.principal!;
    const viewer = { storeId: ctx.storeId, userId, tokenHash, groups };
    return this.streams.stream(viewer, call, HEADERS);
  }
}
