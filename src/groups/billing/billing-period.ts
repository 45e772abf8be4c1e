export interface BillingPeriod {
  start: Date;
  /** Not included: this is the start of the next period. */
  end: Date;
}

/**
 * The monthly period that contains `at`. Periods start at midnight UTC on the day of the month on which the
 * subscription started, or on the last day of a month that is too short: after 31 January they start on 28
 * (29) February, 31 March and 30 April. `at` may be before the start of the subscription.
 */
export function billingPeriod(startedAt: Date, at: Date): BillingPeriod {
  const months =
    (at.getUTCFullYear() - startedAt.getUTCFullYear()) * 12 + at.getUTCMonth() - startedAt.getUTCMonth();
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
