import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page, type PageRequest } from '../../platform/schema/pages/page.js';
import { readPage } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { isCustomerId } from '../customers/customer-id.js';
import type {
  CampaignSummary,
  CampaignWithFailures,
  ListCampaignFailuresInput,
} from './campaign-history.dto.js';
import { GET_CAMPAIGN, GET_TOTALS, LIST_CAMPAIGNS, LIST_FAILURES } from './campaign.statements.js';

/** Reads the campaigns of a store and their outcomes, even while one is being sent. */
@Injectable()
export class CampaignHistory {
  list(ctx: StoreContext, page: PageRequest): Promise<Page<RowOf<typeof LIST_CAMPAIGNS>>> {
    return readPage(ctx, LIST_CAMPAIGNS, page);
  }

  async get(ctx: StoreContext, id: string): Promise<RowOf<typeof GET_CAMPAIGN>> {
    const [row] = isUuid(id) ? await ctx.session.read(GET_CAMPAIGN, { id }) : [];
    if (!row) throw notFound('Campaign', id);
    return row;
  }

  /** The same for the operations. */
  async summaries(ctx: StoreContext, page: PageRequest): Promise<Page<CampaignSummary>> {
    const { items, nextCursor, cursorOf } = await this.list(ctx, page);
    const rows = new Map(items.map((row) => [summaryOf(row), row]));
    return { items: [...rows.keys()], nextCursor, cursorOf: (campaign) => cursorOf!(rows.get(campaign)!) };
  }

  async withFailures(ctx: StoreContext, id: string): Promise<CampaignWithFailures> {
    const campaign = await this.get(ctx, id);
    const [{ failures }] = await ctx.session.read(GET_TOTALS, { id });
    return { ...summaryOf(campaign), failures };
  }

  /** Lists the recipients who did not get the message, by customer id. */
  async failures(
    ctx: StoreContext,
    { id, take = DEFAULT_TAKE, cursor = '0' }: ListCampaignFailuresInput,
  ): Promise<Page<RowOf<typeof LIST_FAILURES>>> {
    if (cursor !== '0' && !isCustomerId(cursor))
      throw invalidInput('cursor must be the id of a customer, as a list gave it out');
    await this.get(ctx, id);
    const rows = await ctx.session.read(LIST_FAILURES, { id, idAbove: cursor, take: take + 1 });
    const items = rows.slice(0, take);
    const cursorOf = ({ customerId }: RowOf<typeof LIST_FAILURES>) => customerId;
    return { items, nextCursor: rows.length > take ? cursorOf(items[items.length - 1]) : null, cursorOf };
  }
}

const summaryOf = ({ status, recipientCount, ...rest }: RowOf<typeof GET_CAMPAIGN>): CampaignSummary => ({
  ...rest,
  state: status,
  recipients: recipientCount,
});
