import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from './principal.js';
import { Clock } from '../clock.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { type Call, toLog } from './call.js';
import { LiveChanges } from './live-changes.js';
import type { StoreContext } from './store-context.js';
import { checkUnchanged } from './version.js';
import { ReadConnections } from '../database/read-connections.js';
import { Replica } from '../database/replica.js';
import { StoreSession } from '../database/session.js';

/** Opens sessions that are bound to one store, on connections whose role sees no other. */
@Injectable()
export class StoreDatabase {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: ReadConnections,
    @Inject(Replica) private readonly replica: Replica | null,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly live: LiveChanges,
  ) {}

  /** The context of a call. Whoever opens it ends its session. */
  contextOf(call: Call, expected: Date | null = null): StoreContext {
    return this.open(call.principal!, call.requestId, call, expected);
  }

  /** Runs work that is no operation call (command line, storefront, bot updates) in one transaction of one store. */
  async inStore<Result>(
    principal: Pick<Principal, 'storeId' | 'currency' | 'actor'>,
    work: (ctx: StoreContext) => Promise<Result>,
    requestId: string = uuidv7(),
  ): Promise<Result> {
    const ctx = this.open(principal, requestId, null, null);
    try {
      const result = await work(ctx);
      await ctx.session.commit();
      return result;
    } catch (error) {
      await ctx.session.rollback();
      throw error;
    }
  }

  private open(
    principal: Pick<Principal, 'storeId' | 'currency' | 'actor'>,
    requestId: string,
    call: Call | null,
    expected: Date | null,
  ): StoreContext {
    const session = new StoreSession(this.dataSource, this.reads, principal.storeId, this.replica);
    let log: Logger | undefined;
    const { log: all } = this;
    return {
      storeId: principal.storeId,
      currency: principal.currency,
      actor: principal.actor,
      requestId,
      session,
      // Made when there is something to say, which with most calls there is not.
      get log() {
        return (log ??= all.child({ ...toLog(call ?? { requestId }), storeId: principal.storeId }));
      },
      live: this.live,
      audit: {},
      call,
      expected,
      checkUnchanged: (updatedAt) => checkUnchanged(expected, updatedAt),
      now: () => this.clock.now(),
      rows: (entity) => session.rows(entity),
    };
  }
}
