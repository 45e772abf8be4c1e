import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { newId } from '../ids.js';
import type { Actor, Principal } from './principal.js';
import { Clock } from '../clock.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { type Call, toLog } from './call.js';
import { LiveChanges } from './live-changes.js';
import type { AuditDraft, StoreContext } from './store-context.js';
import { checkUnchanged } from './version.js';
import { ReadConnections } from '../database/connections/read-connections.js';
import { Replica } from '../database/connections/replica.js';
import type { StoreRows } from '../database/rows.js';
import { StoreSession } from '../database/session.js';
import type { StoreRow } from '../database/store-row.entity.js';

/** Opens sessions that are limited to one store, on connections whose role cannot see any other. */
@Injectable()
export class StoreDatabase {
  private readonly shared: SharedParts;

  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: ReadConnections,
    @Inject(Replica) private readonly replica: Replica | null,
    clock: Clock,
    @Inject(LOGGER) log: Logger,
    live: LiveChanges,
  ) {
    this.shared = { clock, log, live };
  }

  /** The context of a call. The caller of this method must end its session. */
  contextOf(call: Call, expected: Date | null = null): StoreContext {
    return this.open(call.principal!, call.requestId, call, expected);
  }

  /**
   * Runs work that is not the call of an endpoint, such as a command or a job, in one transaction of one
   * store.
   */
  async inStore<Result>(
    principal: Pick<Principal, 'storeId' | 'currency' | 'actor'>,
    work: (ctx: StoreContext) => Promise<Result>,
    requestId: string = newId(),
  ): Promise<Result> {
    const ctx = this.open(principal, requestId, null, null);
    try {
      const result = await work(ctx);
      await ctx.session.commit();
      return result;
    } catch (error) {
      throw await ctx.session.fail(error);
    }
  }

  private open(
    principal: Pick<Principal, 'storeId' | 'currency' | 'actor'>,
    requestId: string,
    call: Call | null,
    expected: Date | null,
  ): StoreContext {
    const session = new StoreSession(this.dataSource, this.reads, principal.storeId, this.replica);
    return new OpenContext(this.shared, principal, session, { requestId, call, expected });
  }
}

/** The parts that the contexts of all stores share. */
interface SharedParts {
  clock: Clock;
  log: Logger;
  live: LiveChanges;
}

/**
 * A class rather than an object literal with a getter and functions, whose shape V8 would build again for
 * every call.
 */
class OpenContext implements StoreContext {
  readonly storeId: string;
  readonly currency: string;
  readonly actor: Actor;
  readonly live: LiveChanges;
  readonly audit: AuditDraft = {};
  readonly requestId: string;
  readonly call: Call | null;
  readonly expected: Date | null;
  private ownLog: Logger | null = null;

  constructor(
    private readonly shared: SharedParts,
    { storeId, currency, actor }: Pick<Principal, 'storeId' | 'currency' | 'actor'>,
    readonly session: StoreSession,
    { requestId, call, expected }: Pick<StoreContext, 'requestId' | 'call' | 'expected'>,
  ) {
    this.storeId = storeId;
    this.currency = currency;
    this.actor = actor;
    this.live = shared.live;
    this.requestId = requestId;
    this.call = call;
    this.expected = expected;
  }

  /** Created on first use, because most calls log nothing. */
  get log(): Logger {
    const { call, requestId, storeId } = this;
    return (this.ownLog ??= this.shared.log.child({ ...toLog(call ?? { requestId }), storeId }));
  }

  with(parts: Parameters<StoreContext['with']>[0]): StoreContext {
    return Object.create(this, Object.getOwnPropertyDescriptors(parts)) as StoreContext;
  }

  checkUnchanged(updatedAt: Date | null, editedAt?: Date): void {
    checkUnchanged(this.expected, updatedAt, editedAt);
  }

  now(): Date {
    return this.shared.clock.now();
  }

  newId(): string {
    return newId();
  }

  rows<Entity extends StoreRow>(entity: new () => Entity): StoreRows<Entity> {
    return this.session.rows(entity);
  }
}
