import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/operation.decorator.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { SendCampaignInput, SendCampaignResult } from './campaigns.dto.js';
import { CampaignsService } from './campaigns.service.js';

@Controller('v1')
export class CampaignsController {
  constructor(private readonly campaigns: CampaignsService) {}

  @Operation({
    name: 'send_campaign',
    scope: 'write',
    summary: 'Send a campaign to customers',
    description:
      'Message up to 500 customers through the store bot. Without confirm: true it only counts recipients. ' +
      'A repeated call sends again: after a timeout ask the user first.',
    input: SendCampaignInput,
    output: SendCampaignResult,
    idempotencyKey: 'own',
    openWorld: true,
  })
  send(ctx: StoreContext, input: SendCampaignInput) {
    return this.campaigns.send(ctx, input);
  }
}
