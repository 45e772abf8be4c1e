import { Injectable } from '@nestjs/common';
import { type RowOf, statement } from '../../platform/database/statement.js';
import { invalidInput } from '../../platform/errors.js';
import { isUuid } from '../../platform/schema/formats.js';
import { fromCursor, toCursor, DEFAULT_TAKE, PAGE_BYTES } from '../../platform/schema/pages/page.js';
import type { PageInput } from '../../platform/schema/pages/page.dto.js';
import { RawJson } from '../../platform/schema/present.js';
import type { LiveChange } from '../../platform/store/live-changes.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { EVENTS_KEPT_MS, EVENTS_READ_MS, readUntil } from '../../webhooks/events/event-age.js';
import { LongPoll } from './long-poll.service.js';
import type { FeedInput } from './events.dto.js';

/**
 * A page of the feed, from the beginning if `$lastId` is null. No row means that the last event is not there.
 * A row without an id means that nothing came after it.
 *
 * Only events that no running transaction can still precede are read: every transaction with a number below
 * the snapshot's xmin has ended, and numbers of an earlier epoch belong to a server that no longer runs. So
 * whatever is committed later comes after everything that has been read.
 */
const LIST_EVENTS = statement(
  'list_events',
  `select e.id, e.json, e."createdAt", e."rowsRead" from (
     select p.epoch, p.xid, p.id from order_events p where p.store_id = $store and p.id = $lastId?
     union all
     select -2147483648, '0'::xid8, '00000000-0000-0000-0000-000000000000'::uuid where $lastId::uuid is null
   ) last left join lateral (
     select w.id, convert_from(w.body, 'UTF8') as json, w.created_at as "createdAt", w.epoch, w.xid,
       w."rowsRead"
     from (
       select page.*, count(*) over ()::integer as "rowsRead",
         sum(octet_length(page.body)) over (order by page.epoch, page.xid, page.id
           rows between unbounded preceding and 1 preceding) as bytes_before
       from (
         select e.epoch, e.xid, e.id, e.body, e.created_at from order_events e
         where e.store_id = $store and e.id >= order_event_id_at($reachesBackTo) and octet_length(e.body) > 0
           and (e.epoch, e.xid, e.id) > (last.epoch, last.xid, last.id)
           and (e.epoch, e.xid) < (order_event_epoch(), pg_snapshot_xmin(pg_current_snapshot()))
         order by e.epoch, e.xid, e.id limit $take
       ) page
     ) w where coalesce(w.bytes_before, 0) < ${PAGE_BYTES}
   ) e on true order by e.epoch, e.xid, e.id`,
);

/**
 * Ids are created before their transaction gets its number. No transaction of the service lasts nearly as
 * long as this.
 */
const LONGEST_TRANSACTION_MS = 3_600_000;

/** How far a reader has read. */
interface Position {
  /** The last event that was read; null if there was none. */
  id: string | null;
  /** The reader may go on until 30 days after this moment, in milliseconds since 1970. */
  at: number;
}

type Row = RowOf<typeof LIST_EVENTS>;
type EventRow = { [Column in keyof Row]: NonNullable<Row[Column]> };

/** The feed of a store's events, for clients that poll (docs/behaviour.md §14). */
@Injectable()
export class EventsService {
  constructor(private readonly longPoll: LongPoll) {}

  /**
   * Lists events, oldest first, with a cursor to continue from even after the last one.
   * @throws OperationError invalid_input for a cursor that is malformed, too old or unknown; rate_limited if
   * too many calls wait
   */
  async list(ctx: StoreContext, { waitSeconds = 0, ...page }: FeedInput): Promise<RawJson> {
    const { json } = await this.longPoll.read(ctx, waitSeconds, isOfOrders, () => this.read(ctx, page));
    return json;
  }

  private async read(
    ctx: StoreContext,
    { take = DEFAULT_TAKE, cursor }: PageInput,
  ): Promise<{ json: RawJson; isEmpty: boolean }> {
    const now = ctx.now().getTime();
    const last = cursor === undefined ? null : decode(cursor);
    if (last && last.at < now - EVENTS_KEPT_MS) {
      throw invalidInput(
        'cursor is older than 30 days, and events are kept no longer: start anew, without a cursor',
      );
    }
    const reachesBackTo = new Date(now - (last ? EVENTS_READ_MS : EVENTS_KEPT_MS));
    const lastId = startOf(last, reachesBackTo);
    const rows = await ctx.session.read(LIST_EVENTS, { lastId, reachesBackTo, take });
    if (rows.length === 0) {
      throw invalidInput(
        'cursor names an event that is not here, as after a restore: start anew, without a cursor',
      );
    }
    const page = withinBytes(
      rows.filter((row): row is EventRow => row.id !== null),
      ctx.call?.answer?.pageBytes ?? PAGE_BYTES,
    );
    const items = RawJson.array(page.map(({ json }) => new RawJson(json)));
    const { id, at } = nextPosition(page, take, last, now);
    const nextCursor = toCursor([id, at]);
    return { json: RawJson.object({ items, nextCursor }), isEmpty: page.length === 0 };
  }
}

/** A call that changes many records is told as one of the store. */
const isOfOrders = ({ kind }: LiveChange) => kind === 'order' || kind === 'store';

/**
 * If the last event is older than the feed's reach, its row may have been deleted. Reading then starts at the
 * beginning of the feed, because everything in it came later.
 */
function startOf(last: Position | null, reachesBackTo: Date): string | null {
  if (!last?.id) return null;
  return timeOf(last.id) < reachesBackTo.getTime() - LONGEST_TRANSACTION_MS ? null : last.id;
}

/** A version 7 UUID begins with its time in milliseconds. */
const timeOf = (id: string) => parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

function nextPosition(page: EventRow[], take: number, last: Position | null, now: number): Position {
  const newest = page.at(-1);
  if (!newest) return { id: last?.id ?? null, at: now };
  const isEnd = newest.rowsRead < take && newest.rowsRead === page.length;
  return { id: newest.id, at: isEnd ? now : readUntil(newest.createdAt, now) };
}

/**
 * Returns the events that fit, at least one. The statement has already left out those that begin beyond
 * PAGE_BYTES.
 */
function withinBytes(rows: EventRow[], most: number): EventRow[] {
  let bytes = 0;
  const tooMany = rows.findIndex(({ json }, i) => (bytes += Buffer.byteLength(json) + 1) > most && i > 0);
  return tooMany < 0 ? rows : rows.slice(0, tooMany);
}

function decode(cursor: string): Position {
  const values = fromCursor(cursor);
  const [id, at] = values ?? [];
  const fits = (id === null || (typeof id === 'string' && isUuid(id))) && Number.isSafeInteger(at);
  if (values?.length !== 2 || !fits) throw invalidInput('cursor is not one that list_events gave out');
  return { id, at } as Position;
}
