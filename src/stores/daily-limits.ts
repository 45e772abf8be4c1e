import { forbidden } from '../platform/errors.js';
import { toMajor } from '../platform/money.js';
import type { DailyLimits } from '../platform/store/call.js';
import type { StoreContext } from '../platform/store/store-context.js';
import { GET_SPENT, SPEND } from './daily-limits.statements.js';

/** What a day's amounts are of. */
type LimitName = keyof DailyLimits;

const WORDS: Record<LimitName, string> = {
  messages: 'messages to customers',
  bonus: 'bonus for customers',
  refunds: 'refunds',
};

/** What is left of a limit today. */
export interface DailyLimit {
  limit: number;
  left: number;
}

/** The limits of an app; null for what has none. */
export type LimitsLeft = Record<LimitName, DailyLimit | null> & { resetsAt: Date; timeZone: string };

const limitsOf = (ctx: StoreContext) => ctx.call?.principal?.consent?.limits ?? null;

/**
 * Counts what a call gives out against the daily limit that a person set for the app (docs/behaviour.md
 * §15.5). Part of the call's transaction, and its last lock. Costs nothing for callers without that limit.
 * @param amount messages; bonus in major units; refunds in minor units
 * @throws OperationError forbidden, naming the limit and when the day ends
 */
export async function spendDaily(ctx: StoreContext, kind: LimitName, amount: number): Promise<void> {
  const limit = limitsOf(ctx)?.[kind] ?? null;
  if (limit === null || amount <= 0) return;
  const id = ctx.actor.id!;
  const [spent] = await ctx.session.query(SPEND, { id, kind, amount: String(amount), now: ctx.now() });
  if (spent) return;
  throw forbidden(refusal(ctx, kind, await limitsLeft(ctx), amount));
}

/** @returns a warning if a call that is only tried would exceed the limit */
export async function wouldExceed(ctx: StoreContext, kind: LimitName, amount: number): Promise<string[]> {
  if ((limitsOf(ctx)?.[kind] ?? null) === null) return [];
  const limits = await limitsLeft(ctx);
  return amount > (limits?.[kind]?.left ?? 0) ? [refusal(ctx, kind, limits, amount)] : [];
}

/** @returns null for a caller without limits */
export async function limitsLeft(ctx: StoreContext): Promise<LimitsLeft | null> {
  const limits = limitsOf(ctx);
  if (limits === null) return null;
  const [row] = await ctx.session.read(GET_SPENT, { id: ctx.actor.id!, now: ctx.now() });
  if (!row) return null;
  const { spent, endsAt, timeZone } = row;
  const of = (kind: LimitName): DailyLimit | null => {
    const limit = limits[kind];
    // Bonus has at most two decimals.
    return limit === null
      ? null
      : { limit, left: Math.max(0, Number((limit - (spent[kind] ?? 0)).toFixed(2))) };
  };
  return { messages: of('messages'), bonus: of('bonus'), refunds: of('refunds'), resetsAt: endsAt, timeZone };
}

function refusal(ctx: StoreContext, kind: LimitName, limits: LimitsLeft | null, amount: number): string {
  const held = limits?.[kind];
  // The person ended the connection meanwhile.
  if (!held) return 'This connection has ended';
  const shown = (value: number) =>
    kind === 'refunds' ? `${toMajor(value, ctx.currency)} ${ctx.currency}` : String(value);
  return (
    `The person who connected this app limits ${WORDS[kind]} to ${shown(held.limit)} a day: ` +
    `${shown(held.left)} left until ${limits.resetsAt.toISOString()} (midnight of ${limits.timeZone}), and ` +
    `this call needs ${shown(amount)}`
  );
}
