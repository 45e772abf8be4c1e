import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import { changedFields } from '../../platform/store/audit.js';
import type { Page, PageRequest } from '../../platform/schema/pages/page.js';
import { isDay } from '../../platform/schema/formats.js';
import { invalidInput } from '../../platform/errors.js';
import { readPage } from '../../platform/store/records.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { COUNT_CONTACTS_BEFORE, ISSUE_INVOICE, LIST_INVOICES } from './billing.statements.js';
import { type BillingPeriod, billingPeriod } from './billing-period.js';
import { Invoice } from './invoice.entity.js';
import { Subscriptions } from './subscriptions.service.js';
import { priceUsage } from './usage-price.js';

@Injectable()
export class Invoices {
  constructor(private readonly subscriptions: Subscriptions) {}

  /** Lists the invoices, newest first. */
  list(ctx: StoreContext, request: PageRequest): Promise<Page<RowOf<typeof LIST_INVOICES>>> {
    return readPage(ctx, LIST_INVOICES, request);
  }

  /**
   * Issues the invoice of a period: the base price and the overage, by the plan and the contacts at the end
   * of the period. Later calls return the same invoice.
   * @param day YYYY-MM-DD within the period; by default, the invoice is for the last period that has ended
   * @throws OperationError invalid_input naming `period`, if it is not over or is before the subscription
   */
  async issue(ctx: StoreContext, day?: string): Promise<Invoice> {
    const { startedAt } = await this.subscriptions.get(ctx);
    const period = chosenPeriod(startedAt, ctx.now(), day);
    const known = await ctx.rows(Invoice).findOne({ periodStart: period.start });
    if (!known) await this.insert(ctx, period);
    const invoice = known ?? (await ctx.rows(Invoice).findOne({ periodStart: period.start }))!;
    ctx.audit.target = `invoice:${invoice.id}`;
    if (!known)
      ctx.audit.changes = changedFields(
        {},
        { number: invoice.number, amount: invoice.amount, status: invoice.status },
      );
    return invoice;
  }

  /**
   * An invoice never changes, so it cannot be issued before the plan and the contacts at the end of its
   * period are known.
   */
  private async insert(ctx: StoreContext, { start, end }: BillingPeriod): Promise<void> {
    if (ctx.now() < end) {
      throw invalidInput(
        `period is not over: its invoice can be issued from ${end.toISOString().slice(0, 10)} on`,
      );
    }
    const plan = await this.subscriptions.planAt(ctx, end);
    const [{ contacts }] = await ctx.session.run(COUNT_CONTACTS_BEFORE, { before: end });
    const { total: amount, currency } = priceUsage(plan, contacts);
    const number = invoiceNumber(ctx.storeId, start);
    const values = { id: newId(), number, amount, currency, start, end, now: ctx.now() };
    await ctx.session.run(ISSUE_INVOICE, values);
  }
}

function chosenPeriod(startedAt: Date, now: Date, day?: string): BillingPeriod {
  if (day !== undefined && !isDay(day)) throw invalidInput('period must be a real day as YYYY-MM-DD');
  const first = billingPeriod(startedAt, startedAt);
  const current = billingPeriod(startedAt, now);
  if (day === undefined) {
    if (current.start <= first.start)
      throw invalidInput(`period is required: the first one ends on ${current.end.toISOString()}`);
    return billingPeriod(startedAt, new Date(current.start.getTime() - 1));
  }
  const period = billingPeriod(startedAt, new Date(day));
  if (period.start < first.start) throw invalidInput('period must not be before the subscription started');
  return period;
}

/** Uses the end of the store's id because that part is random. */
const invoiceNumber = (storeId: string, start: Date) =>
  `INV-${storeId.slice(-12).toUpperCase()}-${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
