import type { Actor } from './principal.js';
import type { StoreRow } from '../database/store-row.entity.js';
import type { StoreRows } from '../database/rows.js';
import type { StoreSession } from '../database/session.js';
import type { Logger } from '../logging/logger.js';
import type { Call } from './call.js';
import type { LiveChanges } from './live-changes.js';

/** A record as `kind:id`, such as `order:12`, because ids of different kinds may be equal. */
export type AuditTarget = `${string}:${string}`;

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
  /** The ids of the rows that lost their link to it, by table. */
  links?: Record<string, string[]>;
}

/** An audit row that was just written. */
export interface AuditedChange extends Pick<AuditDraft, 'action' | 'changes'> {
  id: string;
  operation: string;
  target: string;
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
  now(): Date;
  /** An id whose time is that of `now()`, for records that are found by the time in their id. */
  newId(): string;
  /** The store's rows of one entity. */
  rows<Entity extends StoreRow>(entity: new () => Entity): StoreRows<Entity>;
}

type ContextParts = Partial<
  Pick<StoreContext, 'actor' | 'audit' | 'audited' | 'call' | 'expected' | 'now' | 'newId'>
>;
