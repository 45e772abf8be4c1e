import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import {
  CampaignFailureDetails,
  CampaignRecord,
  ListCampaignFailuresInput,
} from '../../../groups/campaigns/campaign-history.dto.js';
import { CampaignHistory } from '../../../groups/campaigns/campaign-history.service.js';
import { messageOf } from '../../../groups/campaigns/campaigns.service.js';
import { CampaignTestResult, TestCampaignInput } from '../../../groups/campaigns/campaigns.dto.js';
import { NoticeChats } from '../../../notices/chats/notice-chats.service.js';
import { IdInput, PageInput } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { requireFeature } from '../../../stores/plan-features.js';
import type { Caller } from '../caller.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const PATH = 'stores/:storeId/campaigns';

/** The outcomes of campaigns, which are sent with send_campaign. */
@Controller(API_PATH)
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignHistory,
    private readonly chats: NoticeChats,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    groups: 'campaigns',
    summary: 'List the campaigns of the store with their outcomes, newest first',
    input: PageInput,
    output: CampaignRecord,
    list: true,
  })
  list(ctx: StoreContext, input: PageInput) {
    return this.campaigns.list(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/test`,
    groups: 'campaigns',
    summary: "Send the message of a campaign to the member's own chat, and wait for the messenger's answer",
    description: "The chat is that of the member's notices (notices/chat); 404 if none is linked.",
    input: TestCampaignInput,
    output: CampaignTestResult,
    audited: 'campaign.test',
    // Nothing stays of a test, and no transaction may wait for the messenger.
    idempotencyKey: undefined,
  })
  async test(ctx: StoreContext, input: TestCampaignInput, { session }: Caller): Promise<CampaignTestResult> {
    await requireFeature(ctx, 'messages');
    const error = await this.chats.sendTo(ctx, session!.userId, messageOf(input));
    return { sent: error === null, error };
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: `${PATH}/:id`,
    groups: 'campaigns',
    summary: 'Get a campaign, and how far it has been sent',
    description: 'The counts change while it is being sent.',
    input: IdInput,
    output: CampaignRecord,
  })
  get(ctx: StoreContext, { id }: IdInput) {
    return this.campaigns.get(ctx, id);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: `${PATH}/:id/failures`,
    groups: 'campaigns',
    summary: 'List the recipients of a campaign who have not got the message, by customer id',
    input: ListCampaignFailuresInput,
    output: CampaignFailureDetails,
    list: true,
  })
  failures(ctx: StoreContext, input: ListCampaignFailuresInput) {
    return this.campaigns.failures(ctx, input);
  }
}
