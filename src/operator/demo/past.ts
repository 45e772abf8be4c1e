import { v7 as uuidv7 } from 'uuid';
import { type AuditEntry, withoutSecretKeys } from '../../platform/store/audit.js';
import type { Actor } from '../../platform/store/principal.js';
import type { StoreContext } from '../../platform/store/store-context.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A row of the audit log with its own time. */
interface PastAudit extends Pick<AuditEntry, 'operation' | 'transport' | 'input' | 'changes'> {
  at: number;
  actor: Actor;
  /** The record. An order is given by its index in the history, because its id is not known yet. */
  target: string | { order: number };
}

/** An id as it would have been created at that time. Lists are in the order of ids. */
export const idAt = (at: number): string => uuidv7({ msecs: at });
export const iso = (at: number): string => new Date(at).toISOString();
/** The day in UTC, as YYYY-MM-DD. */
export const dayOf = (at: number): string => iso(at).slice(0, 10);

/** Runs services of the shop as if it were an earlier time, and collects rows for the audit log. */
export class Past {
  readonly audits: PastAudit[] = [];

  constructor(
    readonly ctx: StoreContext,
    readonly now: number,
    readonly owner: Actor,
  ) {}

  ago(milliseconds: number): number {
    return this.now - milliseconds;
  }

  /** The context of the owner at that time. */
  at(at: number): StoreContext {
    return this.ctx.with({ actor: this.owner, audit: {}, now: () => new Date(at) });
  }

  /** @param at milliseconds since 1970 */
  async run<Result>(
    at: number,
    operation: string,
    input: object,
    work: (ctx: StoreContext) => Promise<Result>,
  ): Promise<Result> {
    const ctx = this.at(at);
    const result = await work(ctx);
    const { target = `store:${ctx.storeId}`, changes } = ctx.audit;
    this.note({ at, operation, transport: 'dashboard', actor: this.owner, target, input, changes });
    return result;
  }

  note(audit: PastAudit): void {
    this.audits.push({ ...audit, input: withoutSecretKeys(audit.input) });
  }
}
