import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { webhookHeaders } from '../../webhooks/delivery/signature.js';
import { WebhookClient } from '../../webhooks/delivery/webhook-client.js';
import { WebhookEndpoints } from '../../webhooks/endpoint/webhook-endpoints.service.js';
import type { WebhookEvent } from '../../webhooks/events/outbox.js';
import { sampleOrder } from './order/sample-order.js';

/** How the endpoint answered a test event. */
export interface WebhookTestResult {
  id: string;
  delivered: boolean;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The first part of the response body. */
  response: string | null;
}

/**
 * Sends test events. Each is sent once, while the caller waits, under the same address and time limits as
 * deliveries.
 */
@Injectable()
export class WebhookTest implements OnApplicationShutdown {
  private readonly client: WebhookClient;

  constructor(
    @Inject(CONFIG) { webhook }: Config,
    private readonly endpoints: WebhookEndpoints,
  ) {
    this.client = new WebhookClient({
      allowPrivate: webhook.allowPrivateTargets,
      timeoutMs: webhook.timeoutMs,
    });
  }

  /**
   * A failure of the endpoint is a result, not an error. Only the audit row is stored, and no transaction is
   * open during the request.
   * @throws OperationError not_found when the store has no webhook
   */
  async send(ctx: StoreContext, event: WebhookEvent = 'order.created'): Promise<WebhookTestResult> {
    const { url, ...secrets } = await this.endpoints.target(ctx);
    const id = newId();
    const now = ctx.now();
    const envelope = {
      id,
      event,
      createdAt: now.toISOString(),
      data: sampleOrder(ctx.currency, now),
      test: true,
    };
    const body = Buffer.from(JSON.stringify(envelope));
    const signed = { ...secrets, event, deliveryId: id, body, at: now, requestId: ctx.requestId };
    const headers = webhookHeaders(signed);
    const { ok, statusCode, durationMs, error, responseBody } = await this.client.post(url, headers, body);
    return { id, delivered: ok, statusCode, durationMs, error, response: responseBody };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
