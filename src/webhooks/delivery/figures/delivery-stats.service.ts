import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../../platform/database/statement.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { DELIVERIES_BY_DAY } from '../deliveries.statements.js';
import { DAY_MS } from '../../../platform/clock.js';

/** Deliveries are kept 30 days. */
export const STATS_PERIODS = ['7d', '30d'] as const;
export type StatsPeriod = (typeof STATS_PERIODS)[number];

const DAYS: Record<StatsPeriod, number> = { '7d': 7, '30d': 30 };
const COUNTS = ['delivered', 'failed', 'pending', 'attempts'] as const;

type Counts = Record<(typeof COUNTS)[number], number>;
type DeliveryDay = RowOf<typeof DELIVERIES_BY_DAY>;

/** The last `count` UTC days, oldest first. */
export function daysUntil(now: Date, count: number): string[] {
  const today = Math.floor(now.getTime() / DAY_MS);
  return Array.from({ length: count }, (_, i) =>
    new Date((today - count + 1 + i) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The outcomes of a store's deliveries, by the UTC day of their event. */
@Injectable()
export class DeliveryStats {
  async get(
    ctx: StoreContext,
    period: StatsPeriod,
  ): Promise<Counts & { period: StatsPeriod; daily: DeliveryDay[] }> {
    const dates = daysUntil(ctx.now(), DAYS[period]);
    const daily = await ctx.session.read(DELIVERIES_BY_DAY, { dates });
    const sum = (name: keyof Counts) => daily.reduce((total, day) => total + day[name], 0);
    return { period, ...(Object.fromEntries(COUNTS.map((name) => [name, sum(name)])) as Counts), daily };
  }
}
