import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../platform/schema/pages/page.js';
import type { RowOf } from '../../platform/database/statement.js';
import { isUuid } from '../../platform/schema/formats.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import { readPage } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Doorbell } from '../doorbell/doorbell.js';
import { WebhookEndpoints } from '../endpoint/webhook-endpoints.service.js';
import { EVENTS_KEPT_MS } from '../events/event-age.js';
import type { WebhookEvent } from '../events/outbox.js';
import {
  type DeliveryStatus,
  FIND_DELIVERY,
  LIST_DELIVERIES,
  LIST_DELIVERIES_BY_STATUS,
  LIST_DELIVERIES_OF_ORDER,
  REDELIVER,
  REDELIVER_FAILED,
  RESEND,
  RESEND_FAILED,
} from './deliveries.statements.js';

type Delivery = RowOf<typeof LIST_DELIVERIES>;

/** One delivery with its body, null once the order was deleted, and the endpoint's answers. */
type DeliveryDetails = Omit<RowOf<typeof FIND_DELIVERY>, 'body'> & { body: unknown };

/** The filters of a list of deliveries. */
export interface DeliveryFilter {
  status?: DeliveryStatus;
  event?: WebhookEvent;
  orderId?: number;
  /** A date-time; only deliveries created then or later. */
  since?: string;
}

/** What resend_webhook_deliveries takes: one of them. */
interface Again {
  ids?: string[];
  failedSince?: string;
}

/** The most deliveries that one call sends again. */
const MOST_AGAIN = 10_000;
/** The same of resend_webhook_deliveries, whose caller may be an agent. */
const MOST_RESENT = 1_000;
const THE_BEGINNING = '1970-01-01T00:00:00Z';

/**
 * Lists and shows the recent deliveries of a store, and sends them again on request (docs/behaviour.md §7.7).
 */
@Injectable()
export class Deliveries {
  constructor(
    private readonly doorbell: Doorbell,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** Newest first, along the index of the most selective filter. */
  list(
    ctx: StoreContext,
    { status, event, orderId, since, ...page }: DeliveryFilter & PageRequest,
  ): Promise<Page<Delivery>> {
    const filter = { event, since: since ?? THE_BEGINNING };
    if (orderId !== undefined)
      return readPage(ctx, LIST_DELIVERIES_OF_ORDER, page, { ...filter, orderId, status });
    return readPage(ctx, status ? LIST_DELIVERIES_BY_STATUS[status] : LIST_DELIVERIES, page, filter);
  }

  async get(ctx: StoreContext, id: string): Promise<DeliveryDetails> {
    const [row] = isUuid(id) ? await ctx.session.read(FIND_DELIVERY, { id }) : [];
    if (!row) throw notFound('Delivery', id);
    return { ...row, body: row.body === '' ? null : JSON.parse(row.body) };
  }

  /**
   * Sends one delivery again. One that is just being attempted is left to finish.
   * @returns how many are sent again: 0 or 1
   * @throws OperationError not_found, also without a webhook; invalid_input once the order was deleted
   */
  async redeliver(ctx: StoreContext, id: string): Promise<number> {
    await this.requireWebhook(ctx);
    const { body } = await this.get(ctx, id);
    if (body === null)
      throw invalidInput(
        'id names a delivery whose order was deleted, and its body with it: it cannot be sent again',
      ).about('body_gone');
    ctx.audit.target = `delivery:${id}`;
    return this.again(ctx, ctx.session.query(REDELIVER, { id, requestId: ctx.requestId }));
  }

  /**
   * Sends the oldest failed deliveries created since the time again.
   * @returns how many, and whether more may be left for another call
   * @throws OperationError not_found without a webhook
   */
  async redeliverFailed(ctx: StoreContext, since: Date): Promise<{ redelivered: number; hasMore?: true }> {
    await this.requireWebhook(ctx);
    const sent = ctx.session.query(REDELIVER_FAILED, {
      since,
      take: MOST_AGAIN,
      requestId: ctx.requestId,
    });
    const redelivered = await this.again(ctx, sent);
    return redelivered === MOST_AGAIN ? { redelivered, hasMore: true } : { redelivered };
  }

  /**
   * Sends these deliveries again, or the newest that failed since a time. Those whose order is deleted are
   * skipped; one that is just being attempted is left to finish.
   * @throws OperationError not_found without a webhook; invalid_input naming an id that is no delivery's, or
   * a time that is not of the last 30 days
   */
  async resend(ctx: StoreContext, { ids, failedSince }: Again): Promise<{ resent: number; skipped: number }> {
    await this.requireWebhook(ctx);
    const rows = ids ? await this.resendThese(ctx, ids) : await this.resendFailed(ctx, failedSince!);
    ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
    const resent = rows.filter(({ hasBody }) => hasBody).length;
    const skipped = rows.length - resent;
    ctx.audit.target = `webhook:${ctx.storeId}`;
    ctx.audit.changes = { resent: [null, resent], skipped: [null, skipped] };
    return { resent, skipped };
  }

  private async resendThese(ctx: StoreContext, ids: string[]) {
    const asked = ids.map((id) => id.toLowerCase());
    const known = new Set(asked.filter(isUuid));
    const rows = await ctx.session.query(RESEND, { ids: [...known], requestId: ctx.requestId });
    const found = new Set(rows.map(({ id }) => id));
    const strange = asked.findIndex((id) => !found.has(id));
    if (strange >= 0)
      throw invalidInput(`ids[${strange}] is not a delivery of this store`).about('gone', {
        path: `ids[${strange}]`,
      });
    return rows;
  }

  private resendFailed(ctx: StoreContext, failedSince: string) {
    const since = new Date(failedSince);
    const age = ctx.now().getTime() - since.getTime();
    if (age < 0 || age > EVENTS_KEPT_MS)
      throw invalidInput('failedSince must be a date-time of the last 30 days');
    return ctx.session.query(RESEND_FAILED, { since, take: MOST_RESENT, requestId: ctx.requestId });
  }

  /** Without a webhook there is nowhere to send a delivery to; it would fail once more. */
  private async requireWebhook(ctx: StoreContext): Promise<void> {
    if (!(await this.endpoints.find(ctx))) throw notFound('The webhook');
  }

  private async again(ctx: StoreContext, sent: Promise<unknown[]>): Promise<number> {
    const rows = await sent;
    ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
    return rows.length;
  }
}
