import type { Actor } from './principal.js';
import type { AuditDraft } from './audit.js';
import type { StoreRow } from '../database/store-row.entity.js';
import type { StoreRows } from '../database/rows.js';
import type { StoreSession } from '../database/session.js';
import type { Logger } from '../logging/logger.js';
import type { Call } from './call.js';
import type { LiveChanges } from './live-changes.js';

/** Everything a handler may touch of the outside, limited to one store. The first argument of every service method. */
export interface StoreContext {
  readonly storeId: string;
  readonly currency: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly session: StoreSession;
  readonly log: Logger;
  /** Reaches people who look at the store. Audited changes are published with their audit row. */
  readonly live: LiveChanges;
  /** What the audit row says beyond the call itself. */
  readonly audit: AuditDraft;
  /** The same context but for these parts. A context is a class: a copy by its own properties would lack its methods. */
  with(parts: Partial<Pick<StoreContext, 'actor' | 'audit' | 'now'>>): StoreContext;
  /** The call this works for; null outside one (command line, bot updates). */
  readonly call: Call | null;
  /** The `updatedAt` the caller last saw (`If-Match`), null when it did not say. */
  readonly expected: Date | null;
  /** Compares it with the record just locked. @throws OperationError precondition_failed */
  checkUnchanged(updatedAt: Date | null): void;
  now(): Date;
  /** The store's rows of one entity. */
  rows<Entity extends StoreRow>(entity: new () => Entity): StoreRows<Entity>;
}
