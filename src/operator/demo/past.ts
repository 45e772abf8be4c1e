import { newId } from '../../platform/ids.js';
import { type AuditEntry, withoutSecretKeys, writeAudit } from '../../platform/store/audit.js';
import type { Actor } from '../../platform/store/call.js';
import type { StoreContext } from '../../platform/store/store-context.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const iso = (at: number): string => new Date(at).toISOString();

type Work<Result> = (ctx: StoreContext) => Promise<Result>;
/** An operation, its input, what does it, and who calls it if not the owner on the dashboard. */
type Call<Result> = [
  operation: string,
  input: object,
  work: Work<Result>,
  by?: { actor?: Actor; transport?: AuditEntry['transport'] },
];

/** The time before now, in which the shop's services are called, each call at its own time. */
export class Past {
  readonly now: number;
  private readonly plans: { at: number; act: (at: number) => Promise<unknown> }[] = [];

  constructor(
    private readonly ctx: StoreContext,
    readonly owner: Actor,
  ) {
    this.now = ctx.now().getTime();
  }

  ago(milliseconds: number): number {
    return this.now - milliseconds;
  }

  /** Does something that the audit log does not show. */
  do<Result>(at: number, actor: Actor, work: Work<Result>): Promise<Result> {
    const time = new Date(at);
    return work(this.ctx.with({ actor, audit: {}, now: () => time, newId: () => newId(time) }));
  }

  call<Result>(at: number, ...[operation, input, work, by = {}]: Call<Result>): Promise<Result> {
    const { actor = this.owner, transport = 'dashboard' } = by;
    return this.do(at, actor, async (ctx) => {
      const result = await work(ctx);
      const given = withoutSecretKeys(input);
      writeAudit(ctx, { ...ctx.audit, operation, transport, input: given, outcome: 'ok' });
      return result;
    });
  }

  /** What is to be done at a time. What has not happened yet is left out. */
  plan(at: number, act: (at: number) => Promise<unknown>): void {
    if (at <= this.now - MINUTE) this.plans.push({ at, act });
  }

  planCall(at: number, ...call: Call<unknown>): void {
    this.plan(at, () => this.call(at, ...call));
  }

  /** Does everything that was planned, in the order of time. */
  async happen(): Promise<void> {
    this.plans.sort((a, b) => a.at - b.at);
    for (const { at, act } of this.plans) await act(at);
  }
}
