export interface BillingPeriod {
  start: Date;
  /** Not included: the next period's start. */
  end: Date;
}

/**
 * The month that `at` is in, counted from the day the subscription started, at midnight UTC. A day the month does not have becomes
 * its last: from 31 January on, periods start on 28 (29) February, 31 March, 30 April. `at` may be before the start.
 */
export function billingPeriod(startedAt: Date, at: Date): BillingPeriod {
  const months = (at.getUTCFullYear() - startedAt.getUTCFullYear()) * 12 + at.getUTCMonth() - startedAt.getUTCMonth();
  const start = monthsAfter(startedAt, months);
  return at < start
    ? { start: monthsAfter(startedAt, months - 1), end: start }
    : { start, end: monthsAfter(startedAt, months + 1) };
}

function monthsAfter(startedAt: Date, months: number): Date {
  const [year, month] = [startedAt.getUTCFullYear(), startedAt.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(startedAt.getUTCDate(), lastDay)));
}
