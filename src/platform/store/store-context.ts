import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Caps } from '../caps/caps.js';
import { Clock } from '../clock.js';
import { asCall } from '../held.js';
import { newId } from '../ids.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { ReadConnections } from '../database/connections/read-connections.js';
import { Replica } from '../database/connections/replica.js';
import { StoreConnections } from '../database/connections/store-connections.js';
import type { StoreRows } from '../database/rows.js';
import { StoreSession } from '../database/session.js';
import type { StoreRow } from '../database/store-row.entity.js';
import { type Actor, type Call, type Principal, toLog } from './call.js';
import { LiveChanges } from './live-changes.js';
import { checkUnchanged } from './version.js';

/** The kinds of records that audit rows name (docs/behaviour.md §6.10). */
export const TARGET_KINDS = [
  ...['order', 'product', 'variant', 'brand', 'category', 'promocode', 'contest', 'customer', 'campaign'],
  ...['payment_provider', 'checkout', 'monetization', 'settings', 'invoice_field_config', 'invoice'],
  ...['bot', 'bot_message', 'webhook', 'delivery', 'token', 'connection', 'user', 'invitation'],
  ...['saved_view', 'upload', 'store'],
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** A record as `kind:id`, such as `order:12`, because ids of different kinds may be equal. */
export type AuditTarget = `${TargetKind}:${string}`;

/** What a handler adds to its call's audit row. */
export interface AuditDraft {
  /** The record the call was about. Default: the store. */
  target?: AuditTarget;
  /** The changed fields, each with its value before and after: `{ name: ['Old', 'New'] }`. */
  changes?: Record<string, [unknown, unknown]>;
  /** A more specific name than the operation's, such as `promocode.enable`. */
  action?: string;
  /** What undoing the change needs beside `changes`; it is kept sealed for 30 days. */
  kept?: KeptValues;
}

/** What an audit row does not have whole, or not at all. */
export interface KeptValues {
  /** Fields as they were before, as the operation takes them. */
  before?: Record<string, unknown>;
  /** The deleted row, by column. */
  row?: Record<string, unknown>;
  /** The inline providers of the checkout form changed with it, so undoing changes them too. */
  inlineProviders?: true;
  /** What orders held of stock that is no longer tracked, by the id of the product or variant. */
  holdings?: Record<string, Holding[]>;
  /** The ids of the rows that lost their link to it, by table. */
  links?: Record<string, string[]>;
  /** The ends of sales that undoing puts back, by the id of the product or variant. */
  salesUntil?: Record<string, string | null>;
}

/** What the lines of an order held. */
export type Holding = [orderId: number, pieces: number];

/** An audit row that was just written. */
export interface AuditedChange extends Pick<AuditDraft, 'action' | 'changes'> {
  id: string;
  operation: string;
  target: string;
  /** The ids of rows that lost their link to a deleted record, by table; the audit row has none of them. */
  unlinked?: KeptValues['links'];
}

/**
 * Everything a handler may use outside itself, limited to one store. It is the first argument of every
 * service method.
 */
export interface StoreContext {
  readonly storeId: string;
  readonly currency: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly session: StoreSession;
  readonly log: Logger;
  /**
   * Notifies people who are looking at the store. Audited changes are published together with their audit
   * row.
   */
  readonly live: LiveChanges;
  /** What the handler adds to the audit row of its call. */
  readonly audit: AuditDraft;
  /**
   * The same context with these parts replaced. A context is a class: spreading it would lose its methods.
   */
  with(parts: ContextParts): StoreContext;
  /** Collects the audit rows that are written, if somebody asked for them. */
  readonly audited?: AuditedChange[];
  /** The call that is being handled; null outside one (command line, bot updates). */
  readonly call: Call | null;
  /** The `updatedAt` that the caller last saw (`If-Match`); null if it sent none. */
  readonly expected: Date | null;
  /**
   * Compares `expected` with the version of the record just locked.
   * @param editedAt the last change by people, if orders change the record too
   * @throws OperationError precondition_failed
   */
  checkUnchanged(updatedAt: Date | null, editedAt?: Date): void;
  /** Whether shoppers are told nothing of what is changed, since it only puts a change back. */
  readonly isQuiet: boolean;
  now(): Date;
  /** An id whose time is that of `now()`, for records that are found by the time in their id. */
  newId(): string;
  /** The store's rows of one entity. */
  rows<Entity extends StoreRow>(entity: new () => Entity): StoreRows<Entity>;
}

type ContextParts = Partial<
  Pick<StoreContext, 'actor' | 'audit' | 'audited' | 'call' | 'expected' | 'isQuiet' | 'now' | 'newId'>
>;

/** Opens sessions that are limited to one store, on connections whose role cannot see any other. */
@Injectable()
export class StoreDatabase {
  private readonly connections: StoreConnections;
  private readonly shared: SharedParts;

  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: ReadConnections,
    caps: Caps,
    @Inject(Replica) replica: Replica | null,
    clock: Clock,
    @Inject(LOGGER) log: Logger,
    live: LiveChanges,
  ) {
    this.connections = new StoreConnections(dataSource, caps, replica);
    this.shared = { clock, log, live };
  }

  /** The context of a call. The caller of this method must end its session. */
  contextOf(call: Call, expected: Date | null = null): StoreContext {
    return this.open(call.auth.principal!, call.requestId, call, expected);
  }

  /**
   * Runs work that is not the call of an endpoint, such as a command or a job, in one transaction of one
   * store.
   */
  inStore<Result>(
    principal: Pick<Principal, 'storeId' | 'currency' | 'actor'>,
    work: (ctx: StoreContext) => Promise<Result>,
    requestId: string = newId(),
  ): Promise<Result> {
    const ctx = this.open(principal, requestId, null, null);
    return asCall(async () => {
      try {
        const result = await work(ctx);
        await ctx.session.commit();
        return result;
      } catch (error) {
        throw await ctx.session.fail(error);
      }
    });
  }

  private open(
    principal: Pick<Principal, 'storeId' | 'currency' | 'actor'>,
    requestId: string,
    call: Call | null,
    expected: Date | null,
  ): StoreContext {
    const leaves = call?.signal && (() => call.signal!());
    const { dataSource, reads, connections } = this;
    const session = new StoreSession(dataSource, reads, principal.storeId, connections, leaves);
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
  readonly isQuiet = false;
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
