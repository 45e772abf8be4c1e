import { forbidden } from '../platform/errors.js';
import { toMajor } from '../platform/money.js';
import type { DailyLimits } from '../platform/store/call.js';
import type { StoreContext } from '../platform/store/store-context.js';
import { as, statement } from '../platform/database/statement.js';

/** The day of the store's time zone, and its end. */
const DAY = `(select (($now::timestamptz at time zone s.time_zone)::date)::text as day,
    ((($now::timestamptz at time zone s.time_zone)::date + 1)::timestamp at time zone s.time_zone) as ends_at,
    s.time_zone
  from stores s where s.id = $store) d`;

/** Adds to the day's amount, if it then is within the limit. Two calls at once take turns at the row. */
const SPEND = statement(
  'spend_daily_limit',
  `update oauth_grants g
   set daily_spent = jsonb_build_object(d.day, coalesce(g.daily_spent -> d.day, '{}') || jsonb_build_object(
     $kind::text, coalesce((g.daily_spent -> d.day ->> $kind)::numeric, 0) + $amount::numeric))
   from ${DAY}
   where g.store_id = $store and g.id = $id and
     coalesce((g.daily_spent -> d.day ->> $kind)::numeric, 0) + $amount::numeric
       <= (g.daily_limits ->> $kind)::numeric
   returning g.id`,
);

const GET_SPENT = statement(
  'get_daily_spent',
  `select coalesce(g.daily_spent -> d.day, '{}') as "spent!", d.ends_at as "endsAt!",
     d.time_zone as "timeZone!"
   from oauth_grants g, ${DAY} where g.store_id = $store and g.id = $id`,
  { row: as<{ spent: Record<string, number | undefined> }>() },
);

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

const limitsOf = (ctx: StoreContext) => ctx.call?.auth.principal?.consent?.limits ?? null;

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
