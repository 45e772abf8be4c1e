import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { WebhookEndpoints } from '../../../webhooks/endpoint/webhook-endpoints.service.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';
import {
  RemovedWebhook,
  RotatedSecret,
  RotateSecretInput,
  SavedWebhook,
  SaveWebhookInput,
  WebhookRecord,
  WebhookTestResult,
} from './webhook.dto.js';
import { WebhookTest } from '../../../groups/orders/webhook-test.service.js';

const PATH = 'stores/:storeId/webhook';
const NONE = { url: null, paused: false, createdAt: null, updatedAt: null };

/** Order webhooks in the settings (spec, Events). */
@Controller(API_PATH)
export class WebhookController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly test: WebhookTest,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    groups: 'events',
    summary: 'Get the webhook of the store',
    output: WebhookRecord,
  })
  async find(ctx: StoreContext): Promise<WebhookRecord> {
    const [endpoint, health] = await Promise.all([this.endpoints.find(ctx), this.endpoints.health(ctx)]);
    return { ...(endpoint ?? NONE), ...health };
  }

  @Operation({
    door: DASHBOARD,
    method: 'PUT',
    path: PATH,
    groups: 'events',
    summary: 'Save the webhook URL',
    description:
      'The URL must be a public https:// address. Only the answer to the first save has the signing secret.',
    input: SaveWebhookInput,
    output: SavedWebhook,
    audited: 'webhook.save',
    idempotencyKey: 'once',
    before: 'check',
  })
  async save(ctx: StoreContext, { url }: SaveWebhookInput): Promise<SavedWebhook> {
    const { secret } = await this.endpoints.save(ctx, url);
    return { ...(await this.find(ctx)), secret };
  }

  check(_ctx: StoreContext, { url }: SaveWebhookInput): Promise<void> {
    return this.endpoints.check(url);
  }

  @Operation({
    door: DASHBOARD,
    method: 'DELETE',
    path: PATH,
    groups: 'events',
    summary: 'Remove the webhook; events that are not yet delivered are dropped',
    output: RemovedWebhook,
    audited: 'webhook.remove',
  })
  async remove(ctx: StoreContext): Promise<RemovedWebhook> {
    await this.endpoints.remove(ctx);
    return { deleted: true };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/rotate-secret`,
    groups: 'events',
    summary: 'Create a new signing secret; the old one becomes invalid at once, or after 24 hours if asked',
    input: RotateSecretInput,
    output: RotatedSecret,
    audited: 'webhook.rotate_secret',
    idempotencyKey: 'once',
  })
  rotateSecret(ctx: StoreContext, input: RotateSecretInput): Promise<RotatedSecret> {
    return this.endpoints.rotateSecret(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/test`,
    groups: 'events',
    summary: 'Send a signed test event and wait for the answer',
    description:
      'The event is an order.created with test: true and a sample order. It is sent once and is not listed ' +
      'among the deliveries.',
    output: WebhookTestResult,
    audited: 'webhook.test',
    // Nothing stays of a test, and no transaction may wait for the receiver.
    idempotencyKey: undefined,
  })
  sendTest(ctx: StoreContext): Promise<WebhookTestResult> {
    return this.test.send(ctx);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/pause`,
    groups: 'events',
    summary: 'Pause sending; changes are still recorded',
    output: WebhookRecord,
    audited: 'webhook.pause',
  })
  async pause(ctx: StoreContext): Promise<WebhookRecord> {
    await this.endpoints.pause(ctx, true);
    return this.find(ctx);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/resume`,
    groups: 'events',
    summary: 'Resume sending, including events recorded during the pause',
    output: WebhookRecord,
    audited: 'webhook.resume',
  })
  async resume(ctx: StoreContext): Promise<WebhookRecord> {
    await this.endpoints.pause(ctx, false);
    return this.find(ctx);
  }
}
