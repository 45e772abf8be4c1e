import { setMaxListeners } from 'node:events';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { type OrderMessage, outcomeOf, ShopperNotifier } from '../../groups/bot/shopper-notifier.service.js';
import { NOTE_OUTCOME, TAKE_MESSAGE } from '../../groups/orders/messages/shopper-messages.statements.js';
import { Clock } from '../../platform/clock.js';
import { Caps } from '../../platform/caps/caps.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { type RowOf, systemStatement } from '../../platform/database/statement.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { type StoreContext, StoreDatabase } from '../../platform/store/store-context.js';

/** The stores in which messages to shoppers wait; none that is suspended, or has moved. */
const LIST_WAITING_STORES = systemStatement(
  'list_stores_of_waiting_messages',
  `select s.id as "storeId", s.currency from stores s
   where s.suspended_at is null and s.moved_to is null
     and s.id in (select m.store_id from order_messages m where m.outcome = 'due')`,
);

/** How long a message may wait. Later it is no news, and is not sent. */
const NEWS_MS = 3_600_000;
/** How many messages of one store are under way at a time in this process. */
const LANES = 3;
const BOT = { kind: 'system', id: null, name: 'system' } as const;

type Store = RowOf<typeof LIST_WAITING_STORES>;

/**
 * Sends the messages to shoppers that changes of orders have queued (docs/behaviour.md §6.19). Whoever takes
 * a message from the queue sends it, once; a process that is killed then may leave it unsent.
 */
@Injectable()
export class ShopperMessages implements BeforeApplicationShutdown {
  /** By the id of a store whose messages are being sent. */
  private readonly underWay = new Map<string, Promise<void>>();
  /** Aborted when the process stops: what waits stays in the queue. */
  private readonly stopped = new AbortController();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly system: SystemDatabase,
    private readonly database: StoreDatabase,
    private readonly notifier: ShopperNotifier,
    private readonly clock: Clock,
    private readonly caps: Caps,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    setMaxListeners(0, this.stopped.signal);
  }

  /** Begins to send what waits, and does not wait for it: a store whose bot is slow holds nobody else up. */
  async send(): Promise<void> {
    if (!this.config.roles.deliver) return;
    for (const store of await this.system.query(LIST_WAITING_STORES)) {
      if (this.underWay.has(store.storeId)) continue;
      const lanes = Array.from({ length: LANES }, () => this.lane(store));
      const run = Promise.all(lanes)
        .then(() => undefined)
        .catch((err: unknown) => this.log.warn({ err, ...store }, 'a message to a shopper failed'))
        .finally(() => this.underWay.delete(store.storeId));
      this.underWay.set(store.storeId, run);
    }
  }

  /** Waits for what is under way, which ends by its own time limits. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.underWay.values());
  }

  private async lane(store: Store): Promise<void> {
    const { storeId } = store;
    const free = await this.caps.wait('notices', { storeId }, { leaves: () => this.stopped.signal });
    try {
      for (let found = true; found && !this.stopped.signal.aborted;) found = await this.next(store);
    } finally {
      free();
    }
  }

  /** @returns whether there was a message */
  private async next(store: Store): Promise<boolean> {
    const inStore = <Result>(work: (ctx: StoreContext) => Promise<Result>) =>
      this.database.inStore({ ...store, actor: BOT }, work);
    const since = new Date(this.clock.now().getTime() - NEWS_MS);
    const [taken] = await inStore((ctx) => ctx.session.query(TAKE_MESSAGE, { since }));
    if (!taken) return false;
    const { id, kind, orderId, messengerUserId, isToBeSent } = taken;
    if (!isToBeSent) return true;
    await inStore(async (ctx) => {
      const told = { id: orderId, messengerUserId };
      const { notification, detail } = await this.notifier.tell(ctx, kind as OrderMessage, told);
      await ctx.session.query(NOTE_OUTCOME, { id, outcome: outcomeOf(notification), detail });
    });
    return true;
  }
}
