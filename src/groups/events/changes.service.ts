import { Injectable } from '@nestjs/common';
import { mayCall } from '../../access/rights.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { type RowOf, statement } from '../../platform/database/statement.js';
import { forbidden, invalidInput } from '../../platform/errors.js';
import { fromCursor, toCursor, DEFAULT_TAKE, type Page } from '../../platform/schema/pages/page.js';
import type { PageInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { EVENTS_KEPT_MS, readUntil } from '../../webhooks/events/event-age.js';
import { CHANGED_KINDS, type ChangedKind, type ListChangesInput } from './events.dto.js';
import { LongPoll } from './long-poll.service.js';

/**
 * A page of the feed of changes, after a position in its order; a row without an id if there is none. As in
 * the feed of events, only what no running transaction can still precede is read. A record that changes again
 * gets a later position, also one that the page has told.
 */
const LIST_CHANGES = statement(
  'list_changes',
  `select order_event_server() as "server!",
     coalesce((select s.former_servers from stores s where s.id = $store), '{}') as "formerServers!",
     c.kind, c.record_id as id, c.product_id as "productId", c.change, c.at, c.epoch, c.xid::text as xid
   from (values (1)) one left join lateral (
     select r.* from unnest($kinds::text[]) k (kind) cross join lateral (
       select r.* from record_changes r where r.store_id = $store and r.kind = k.kind
         and (r.epoch, r.xid, r.record_id) > ($afterEpoch::integer, $afterXid::text::xid8, $afterId::text)
         and r.at >= $since
         and (r.epoch, r.xid) < (order_event_epoch(), pg_snapshot_xmin(pg_current_snapshot()))
       order by r.epoch, r.xid, r.record_id limit $take
     ) r order by r.epoch, r.xid, r.record_id limit $take
   ) c on true order by c.epoch, c.xid, c.record_id`,
);

/** The operations that show the records. */
const SHOWN_BY: Record<ChangedKind, string> = {
  product: 'list_products',
  brand: 'list_brands',
  category: 'list_categories',
  promocode: 'list_promocodes',
  customer: 'list_customers',
};

/**
 * How far a reader has read: on which server, after which change; it may go on until 30 days after a moment.
 */
type Position = [server: string, epoch: number, xid: string, id: string, at: number];

type Row = RowOf<typeof LIST_CHANGES>;
type Change = { [Column in keyof Row]: NonNullable<Row[Column]> };

/** The feed of a store's changed records, for clients that poll (docs/behaviour.md §14). */
@Injectable()
export class ChangesService {
  constructor(
    private readonly longPoll: LongPoll,
    private readonly operations: OperationRegistry,
  ) {}

  /**
   * Lists changes, oldest first, with a cursor to continue from even after the last one.
   * @throws OperationError invalid_input for a cursor that is malformed, too old or of another server;
   * rate_limited if too many calls wait
   */
  async list(
    ctx: StoreContext,
    { waitSeconds = 0, kinds, ...page }: ListChangesInput,
  ): Promise<Page<Change>> {
    const any = () => true;
    return this.longPoll.read(ctx, waitSeconds, any, () => read(ctx, this.shown(ctx, kinds), page));
  }

  /** @throws OperationError forbidden for a kind that was asked for and may not be seen */
  private shown({ call }: StoreContext, asked: ChangedKind[] | undefined): ChangedKind[] {
    const isShown = (kind: ChangedKind) =>
      mayCall(call!.auth.principal!, this.operations.neededFor(SHOWN_BY[kind]));
    const hidden = asked?.find((kind) => !isShown(kind));
    if (hidden === undefined) return asked ?? CHANGED_KINDS.filter(isShown);
    const { groups } = this.operations.neededFor(SHOWN_BY[hidden]);
    throw forbidden(
      `kinds: ${hidden} needs the group ${groups.join(' or ')}, which this caller does not have`,
    );
  }
}

async function read(
  ctx: StoreContext,
  kinds: ChangedKind[],
  { take = DEFAULT_TAKE, cursor }: PageInput,
): Promise<Page<Change> & { isEmpty: boolean }> {
  const now = ctx.now().getTime();
  const after = cursor === undefined ? null : decode(cursor);
  if (after && after[4] < now - EVENTS_KEPT_MS)
    throw invalidInput(
      'cursor is older than 30 days, and changes are kept no longer: start anew, without one',
    );
  const [, afterEpoch, afterXid, afterId] = after ?? ['', -2_147_483_648, '0', ''];
  const since = new Date(after ? 0 : now - EVENTS_KEPT_MS);
  const place = { since, afterEpoch, afterXid, afterId };
  const rows = await ctx.session.read(LIST_CHANGES, { kinds, ...place, take });
  const [{ server, formerServers }] = rows;
  if (after && ![server, ...formerServers].includes(after[0]))
    throw invalidInput('cursor is of another server, as after a restore: start anew, without one');
  const items = rows.filter((row): row is Change => row.id !== null);
  const last = items.at(-1);
  const cursorOf = ({ epoch, xid, id, at }: Change) => toCursor([server, epoch, xid, id, readUntil(at, now)]);
  // The end of the feed: the cursor stays good for 30 days from now.
  const end = (): Position =>
    last
      ? [server, last.epoch, last.xid, last.id, now]
      : [server, Number(afterEpoch), String(afterXid), String(afterId), now];
  const nextCursor = items.length === take ? cursorOf(last!) : toCursor(end());
  return { items, nextCursor, cursorOf, isEmpty: items.length === 0 };
}

function decode(cursor: string): Position {
  const values = fromCursor(cursor);
  const [server, epoch, xid, id, at] = values ?? [];
  const fits =
    [server, id].every((value) => typeof value === 'string' && !value.includes('\0')) &&
    Number.isInteger(epoch) &&
    Math.abs(Number(epoch)) <= 2 ** 31 - 1 + Number(Number(epoch) < 0) &&
    /^\d{1,19}$/.test(String(xid)) &&
    Number.isSafeInteger(at);
  if (values?.length !== 5 || !fits) throw invalidInput('cursor is not one that list_changes gave out');
  return values as Position;
}
