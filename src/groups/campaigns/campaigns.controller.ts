import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { IdInput, PageInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { CampaignSummary, CampaignWithFailures } from './campaign-history.dto.js';
import { CampaignHistory } from './campaign-history.service.js';
import { SendCampaignInput, SendCampaignResult, SendMessagesInput } from './campaigns.dto.js';
import { asksToSend, asksToSendMessages } from './campaign-question.js';
import { CampaignsService } from './campaigns.service.js';

@Controller('v1')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly history: CampaignHistory,
  ) {}

  @Operation({
    name: 'send_campaign',
    preview: 'own',
    scope: 'write',
    summary: 'Send a campaign to customers',
    description:
      'Message up to 500 customers through the store bot. Without confirm: true it only counts. The same ' +
      'call within the hour goes on with that campaign: nobody gets it twice.',
    input: SendCampaignInput,
    output: SendCampaignResult,
    idempotencyKey: 'own',
    openWorld: true,
    asks: asksToSend,
  })
  send(ctx: StoreContext, input: SendCampaignInput) {
    return this.campaigns.send(ctx, input);
  }

  @Operation({
    name: 'send_messages',
    preview: 'own',
    scope: 'write',
    summary: 'Send each customer a message of their own',
    description:
      'Message up to 100 customers, each with a text of their own, about their order or with their code. ' +
      'Otherwise as send_campaign; list_campaigns shows it.',
    input: SendMessagesInput,
    output: SendCampaignResult,
    idempotencyKey: 'own',
    openWorld: true,
    asks: asksToSendMessages,
    beyond: true,
  })
  sendMessages(ctx: StoreContext, input: SendMessagesInput) {
    return this.campaigns.sendMessages(ctx, input);
  }

  @Operation({
    name: 'list_campaigns',
    scope: 'read',
    summary: 'List campaigns',
    description: 'List campaigns, newest first, each with how many got the message.',
    input: PageInput,
    output: CampaignSummary,
    list: true,
    beyond: true,
  })
  list(ctx: StoreContext, input: PageInput) {
    return this.history.summaries(ctx, input);
  }

  @Operation({
    name: 'get_campaign',
    scope: 'read',
    summary: 'Get a campaign',
    description: 'Get a campaign, how far it has been sent, and who did not get it.',
    input: IdInput,
    output: CampaignWithFailures,
    beyond: true,
  })
  get(ctx: StoreContext, { id }: IdInput) {
    return this.history.withFailures(ctx, id);
  }
}
