import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page, type PageRequest } from '../../platform/schema/pages/page.js';
import { readNumberedPage } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { isCustomerId } from '../customers/customer-id.js';
import type {
  CampaignFailureDetails,
  CampaignRecord,
  ListCampaignFailuresInput,
} from './campaign-history.dto.js';
import { GET_CAMPAIGN, LIST_CAMPAIGNS, LIST_FAILURES } from './campaign.statements.js';

type Row<Of> = Of & Record<string, unknown>;

/** Reads the campaigns of a store and their outcomes, even while one is being sent. */
@Injectable()
export class CampaignHistory {
  list(ctx: StoreContext, page: PageRequest): Promise<Page<CampaignRecord>> {
    return readNumberedPage(ctx, LIST_CAMPAIGNS, page);
  }

  async get(ctx: StoreContext, id: string): Promise<CampaignRecord> {
    const [row] = isUuid(id) ? await ctx.session.read<Row<CampaignRecord>>(GET_CAMPAIGN, id) : [];
    if (!row) throw notFound('Campaign', id);
    return row;
  }

  /** Lists the recipients who did not get the message, by customer id. */
  async failures(
    ctx: StoreContext,
    { id, take = DEFAULT_TAKE, cursor = '0' }: ListCampaignFailuresInput,
  ): Promise<Page<CampaignFailureDetails>> {
    if (cursor !== '0' && !isCustomerId(cursor))
      throw invalidInput('cursor must be the id of a customer, as a list gave it out');
    await this.get(ctx, id);
    const rows = await ctx.session.read<Row<CampaignFailureDetails>>(LIST_FAILURES, id, cursor, take + 1);
    const items = rows.slice(0, take);
    const cursorOf = ({ customerId }: CampaignFailureDetails) => customerId;
    return { items, nextCursor: rows.length > take ? cursorOf(items[items.length - 1]) : null, cursorOf };
  }
}
