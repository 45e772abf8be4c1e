import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Deliveries } from '../../webhooks/delivery/deliveries.service.js';
import {
  DeliveryRecord,
  ListWebhookDeliveriesInput,
  ResendWebhookDeliveriesInput,
  ResentDeliveries,
} from './deliveries.dto.js';

@Controller('v1')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: Deliveries) {}

  @Operation({
    name: 'list_webhook_deliveries',
    scope: 'read',
    summary: 'List webhook deliveries',
    description:
      'List deliveries of order webhooks, newest first, each with its attempts and why they failed.',
    input: ListWebhookDeliveriesInput,
    output: DeliveryRecord,
    list: true,
    beyond: true,
  })
  list(ctx: StoreContext, input: ListWebhookDeliveriesInput) {
    return this.deliveries.list(ctx, input);
  }

  @Operation({
    name: 'resend_webhook_deliveries',
    scope: 'write',
    summary: 'Send webhook deliveries again',
    description: 'Send deliveries again, with the same body and id and all attempts anew.',
    input: ResendWebhookDeliveriesInput,
    output: ResentDeliveries,
    beyond: true,
  })
  resend(ctx: StoreContext, input: ResendWebhookDeliveriesInput) {
    return this.deliveries.resend(ctx, input);
  }
}
