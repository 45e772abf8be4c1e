import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { webhookHeaders } from '../../webhooks/delivery/signature.js';
import { WebhookClient } from '../../webhooks/delivery/webhook-client.js';
import { WebhookEndpoints } from '../../webhooks/endpoint/webhook-endpoints.service.js';
import { sampleOrder } from './sample-order.js';

export const EVENTS = ['order.created', 'order.updated'] as const;
export type EventName = (typeof EVENTS)[number];

/** What the endpoint made of a test event. */
export interface WebhookTestResult {
  id: string;
  delivered: boolean;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The beginning of what it answered. */
  response: string | null;
}

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
  async send(ctx: StoreContext, event: EventName = 'order.created'): Promise<WebhookTestResult> {
    const { url, secret } = await this.endpoints.target(ctx);
    const id = newId();
    const now = ctx.now();
    const envelope = { id, event, createdAt: now.toISOString(), data: sampleOrder(ctx.currency, now), test: true };
    const body = Buffer.from(JSON.stringify(envelope));
    const headers = webhookHeaders({ event, deliveryId: id, secret, body });
    const { ok, statusCode, durationMs, error, responseBody } = await this.client.post(url, headers, body);
    return { id, delivered: ok, statusCode, durationMs, error, response: responseBody };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
