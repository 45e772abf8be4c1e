import { setMaxListeners } from 'node:events';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { mayCall, scopeOf } from '../access/rights.js';
import { Clock } from '../platform/clock.js';
import { Caps } from '../platform/caps/caps.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { type RowOf, systemStatement } from '../platform/database/statement.js';
import { SystemDatabase } from '../platform/database/system.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { LIST_CHATS } from './chats/notice-chats.statements.js';
import { NoticeChats } from './chats/notice-chats.service.js';
import { type NewOrder, noticeOf } from './notice.js';
import type { Language } from './words.js';

/**
 * The next events of all stores in which somebody is told. As in the feed, only those are read that no
 * running transaction can still precede. Events that are no new order are read too, so that the next look
 * begins after them. An order of `total` null is not to be told: it is an older one, or gone.
 */
const LIST_NEWS = systemStatement(
  'list_new_orders',
  `select c.store_id as "storeId", c.epoch as "fromEpoch", c.xid::text as "fromXid!", c.id as "fromId",
    e.epoch, e.xid::text as "xid!", e.id, o.id as "orderId", o.total_price as total, o.currency,
    coalesce(nullif(trim(concat_ws(' ', k.first_name, k.last_name)), ''), '@' || k.username) as name
  from notice_cursors c
  cross join lateral (
    select e.* from order_events e where e.store_id = c.store_id
      and (e.epoch, e.xid, e.id) > (c.epoch, c.xid, c.id)
      and (e.epoch, e.xid) < (order_event_epoch(), pg_snapshot_xmin(pg_current_snapshot()))
    order by e.epoch, e.xid, e.id limit $ofStore
  ) e
  left join orders o on o.store_id = e.store_id and o.id = e.order_id and e.event = 'order.created'
    and e.created_at > $since and coalesce(e.created_at >= c.began_at, true)
  left join customers k on k.store_id = o.store_id and k.id = o.messenger_user_id
  where exists (select from notice_chats t where t.store_id = c.store_id and t.chat_id is not null)
  order by c.store_id, e.epoch, e.xid, e.id limit $take`,
);

/** Returns no row if another process has told these events. */
const TAKE_NEWS = systemStatement(
  'take_new_orders',
  `update notice_cursors set epoch = $epoch, xid = $xid::text::xid8, id = $id
  where store_id = $storeId
    and (epoch, xid, id) = ($fromEpoch::integer, $fromXid::text::xid8, $fromId::uuid)
  returning store_id`,
);

/** Events that one look reads, of all stores and of one. */
const BATCH = { take: 1_000, ofStore: 200 };
/** An order that is older is no news. */
const NEWS_MS = 3_600_000;
/** Only members who may read orders are told. */
const READING = { name: 'get_order', groups: ['orders'], scope: 'read' } as const;

type Event = RowOf<typeof LIST_NEWS>;

/** Where a member is told. */
type Chat = RowOf<typeof LIST_CHATS>;

/**
 * Tells members of new orders. It reads the events of orders after a cursor, so no order waits for it.
 * The process that moves the cursor tells what it passed: one does, once, and if it is killed then, something
 * may be left untold.
 */
@Injectable()
export class NewOrders implements BeforeApplicationShutdown {
  private readonly underWay = new Set<Promise<void>>();
  /** Aborted when the process stops: what waits for its turn is not sent any more. */
  private readonly stopped = new AbortController();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly chats: NoticeChats,
    private readonly clock: Clock,
    private readonly caps: Caps,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    // Everything that waits listens to it.
    setMaxListeners(0, this.stopped.signal);
  }

  /**
   * Tells what is new. It does not wait for what it sends, so that a messenger that hangs holds nobody
   * else up; only processes that deliver send.
   */
  async tell(stop?: AbortSignal): Promise<void> {
    if (!this.config.roles.deliver) return;
    for (let isMore = true; isMore && !stop?.aborted;) {
      const since = new Date(this.clock.now().getTime() - NEWS_MS);
      const events = await this.database.query(LIST_NEWS, { ...BATCH, since });
      const stores = byStore(events);
      for (const ofStore of stores.values()) if (!stop?.aborted) await this.tellOf(ofStore);
      isMore = events.length === BATCH.take || [...stores.values()].some(isFull);
    }
  }

  /** Waits for what is under way, which ends by its own time limits. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private async tellOf(events: Event[]): Promise<void> {
    const { storeId, epoch, xid, id, fromEpoch, fromXid, fromId } = events.at(-1)!;
    const taken = { storeId, epoch, xid, id, fromEpoch, fromXid, fromId };
    if ((await this.database.query(TAKE_NEWS, taken)).length === 0) return;
    const orders = events.flatMap(orderOf);
    if (orders.length === 0) return;
    const chats = await this.database.query(LIST_CHATS, { storeId });
    for (const chat of chats) if (mayRead(chat)) this.tellChat(storeId, orders, chat);
  }

  private tellChat(storeId: string, orders: NewOrder[], chat: Chat): void {
    const notice = noticeOf({ id: storeId, name: chat.storeName }, orders, chat.language as Language);
    this.start(storeId, async () => {
      const error = await this.chats.send({ storeId, currency: orders[0].currency }, chat, notice);
      if (error !== null) this.log.info({ storeId, detail: error }, 'a chat was not told of an order');
    });
  }

  /** Begins the work as soon as it is the store's turn, so that nobody waits for those of another store. */
  private start(storeId: string, work: () => Promise<void>): void {
    const run = this.inTurn(storeId, work)
      .catch((err: unknown) => this.log.warn({ err, storeId }, 'a notice could not be sent'))
      .finally(() => this.underWay.delete(run));
    this.underWay.add(run);
  }

  private async inTurn(storeId: string, work: () => Promise<void>): Promise<void> {
    const free = await this.caps.wait('notices', { storeId }, { leaves: () => this.stopped.signal });
    try {
      await work();
    } finally {
      free();
    }
  }
}

function byStore(events: Event[]): Map<string, Event[]> {
  const stores = new Map<string, Event[]>();
  for (const event of events) stores.set(event.storeId, [...(stores.get(event.storeId) ?? []), event]);
  return stores;
}

const isFull = (events: Event[]) => events.length === BATCH.ofStore;

const orderOf = ({ orderId, total, currency, name }: Event): NewOrder[] =>
  total === null || currency === null ? [] : [{ id: Number(orderId), total: BigInt(total), currency, name }];

const mayRead = ({ role, groups }: Chat) => mayCall({ scope: scopeOf(role), groups }, READING);
