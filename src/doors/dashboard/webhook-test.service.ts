import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CONFIG, type Config } from '../../platform/config/config.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { webhookHeaders } from '../../webhooks/delivery/signature.js';
import { WebhookClient } from '../../webhooks/delivery/webhook-client.js';
import { WebhookEndpoints } from '../../webhooks/endpoint/webhook-endpoints.service.js';
import { sampleOrder } from './sample-order.js';
import type { WebhookTestResult } from './webhook.dto.js';

const EVENT = 'order.created';

/** Sends test events: once, while the caller waits, under the same rules for addresses and time as deliveries. */
@Injectable()
export class WebhookTest implements OnApplicationShutdown {
  private readonly client: WebhookClient;

  constructor(
    @Inject(CONFIG) { webhook }: Config,
    private readonly endpoints: WebhookEndpoints,
  ) {
    this.client = new WebhookClient({ allowPrivate: webhook.allowPrivateTargets, timeoutMs: webhook.timeoutMs });
  }

  /**
   * A failure of the endpoint is a result. Nothing of it is stored but the audit row; no transaction is open meanwhile.
   * @throws OperationError not_found when the store has no webhook
   */
  async send(ctx: StoreContext): Promise<WebhookTestResult> {
    const { url, secret } = await this.endpoints.target(ctx);
    const id = uuidv7();
    const now = ctx.now();
    const envelope = { id, event: EVENT, createdAt: now.toISOString(), data: sampleOrder(ctx.currency, now), test: true };
    const body = Buffer.from(JSON.stringify(envelope));
    const headers = webhookHeaders({ event: EVENT, deliveryId: id, secret, body });
    const { ok, statusCode, durationMs, error, responseBody } = await this.client.post(url, headers, body);
    return { id, delivered: ok, statusCode, durationMs, error, response: responseBody };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
