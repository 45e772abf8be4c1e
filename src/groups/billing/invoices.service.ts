import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import { changedFields } from '../../platform/store/audit.js';
import type { Page, PageRequest } from '../../platform/schema/pages/page.js';
import { isDay } from '../../platform/schema/formats.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import { readPage } from '../../platform/store/records.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  COUNT_CONTACTS_BEFORE,
  ISSUE_INVOICE,
  LIST_INVOICED_PERIODS,
  LIST_INVOICES,
  PAY_INVOICE,
} from './billing.statements.js';
import { type BillingPeriod, billingPeriod } from './billing-period.js';
import { Invoice } from './invoice.entity.js';
import { Subscriptions } from './subscriptions.service.js';
import { pricePeriod } from './usage-price.js';

@Injectable()
export class Invoices {
  constructor(private readonly subscriptions: Subscriptions) {}

  /** Lists the invoices, newest first. */
  list(ctx: StoreContext, request: PageRequest): Promise<Page<RowOf<typeof LIST_INVOICES>>> {
    return readPage(ctx, LIST_INVOICES, request);
  }

  /**
   * Issues the invoice of a period: base price and overage, by the days of each plan and the contacts at the
   * end of the period. Later calls return the same invoice.
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

  /** A day in each period that is over and has no invoice yet. */
  async due(ctx: StoreContext): Promise<string[]> {
    const { startedAt } = await this.subscriptions.get(ctx);
    const issued = await ctx.session.read(LIST_INVOICED_PERIODS);
    const known = new Set(issued.map(({ periodStart }) => periodStart.getTime()));
    const days: string[] = [];
    for (
      let period = billingPeriod(startedAt, startedAt);
      period.end <= ctx.now();
      period = billingPeriod(startedAt, period.end)
    ) {
      if (!known.has(period.start.getTime())) days.push(period.start.toISOString().slice(0, 10));
    }
    return days;
  }

  /**
   * Records that an invoice was paid. One that is paid already stays as it is.
   * @throws OperationError not_found, or invalid_input for an invoice that is void
   */
  async pay(ctx: StoreContext, number: string): Promise<Invoice> {
    const invoice = await ctx.rows(Invoice).findOne({ number });
    if (!invoice) throw notFound('Invoice', number);
    if (invoice.status === 'void') throw invalidInput('number names an invoice that is void');
    ctx.audit.target = `invoice:${invoice.id}`;
    if (invoice.status === 'paid') return invoice;
    await ctx.session.query(PAY_INVOICE, { id: invoice.id, now: ctx.now() });
    ctx.audit.changes = changedFields({ status: 'open' }, { status: 'paid' });
    return (await ctx.rows(Invoice).findOne({ number }))!;
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
    const stretches = await this.subscriptions.planDays(ctx, { start, end });
    const [{ contacts }] = await ctx.session.query(COUNT_CONTACTS_BEFORE, { before: end });
    const { amount, currency } = pricePeriod(stretches, contacts);
    const number = invoiceNumber(ctx.storeId, start);
    const values = { id: newId(), number, amount, currency, start, end, now: ctx.now() };
    await ctx.session.query(ISSUE_INVOICE, values);
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
