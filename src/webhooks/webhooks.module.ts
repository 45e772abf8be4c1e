import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { newId } from '../platform/ids.js';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { SecretBox } from '../platform/crypto/secret-box.js';
import { Metrics } from '../platform/observability/metrics.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { LiveChanges } from '../platform/store/live-changes.js';
import { systemTimers } from '../platform/timers.js';
import { Deliveries } from './delivery/deliveries.service.js';
import { type ClaimedDelivery, DeliveryQueue } from './delivery/delivery-queue.js';
import { DeliveryStats } from './delivery/figures/delivery-stats.service.js';
import { DeliveryMetrics } from './delivery/figures/delivery-metrics.js';
import { Dispatcher } from './delivery/dispatcher.js';
import { PostgresDoorbellModule } from './doorbell/postgres-doorbell.module.js';
import { EventUpkeep } from './events/event-upkeep.service.js';
import { WebhookClient } from './delivery/webhook-client.js';
import { WebhookEndpoints } from './endpoint/webhook-endpoints.service.js';

/** Order webhooks. The doorbell is Bull if there is a Redis, otherwise the database's notifications. */
@Module({})
export class WebhooksModule {
  static with(config: Config): DynamicModule {
    return {
      module: WebhooksModule,
      global: true,
      imports: [doorbell(config)],
      providers: [
        DeliveryQueue,
        dispatcher(config),
        Deliveries,
        DeliveryStats,
        WebhookEndpoints,
        EventUpkeep,
      ],
      exports: [Deliveries, DeliveryStats, WebhookEndpoints, Dispatcher],
    };
  }
}

async function doorbell(config: Config): Promise<DynamicModule> {
  if (!config.redisUrl) return PostgresDoorbellModule.with(config);
  const { BullDoorbellModule } = await import('./doorbell/bull-doorbell.module.js');
  return BullDoorbellModule.with(config.redisUrl, config);
}

function dispatcher({ roles, webhook }: Config): Provider {
  const { timeoutMs, retryDelaysSeconds, allowPrivateTargets: allowPrivate } = webhook;
  return {
    provide: Dispatcher,
    inject: [DeliveryQueue, SecretBox, Clock, Metrics, LOGGER, LiveChanges],
    useFactory: (
      queue: DeliveryQueue,
      secrets: SecretBox,
      clock: Clock,
      metrics: Metrics,
      log: Logger,
      live: LiveChanges,
    ) => {
      const client = new WebhookClient({ allowPrivate, timeoutMs });
      const onFailed = (delivery: ClaimedDelivery) => publishFailure(live, delivery);
      const parts = { queue, client, secrets, clock, timers: systemTimers, newId, onFailed, log };
      const settings = { delivers: roles.deliver, timeoutMs, retryDelaysSeconds };
      const delivering = new Dispatcher(settings, { ...parts, metrics: new DeliveryMetrics(metrics) });
      metrics.gauge(
        'shop_webhook_in_flight',
        'Deliveries under way in this process',
        () => delivering.underWay,
      );
      if (roles.deliver) {
        metrics.gauge('shop_webhook_pending', 'Deliveries not settled yet; over 100,000 an estimate', () =>
          queue.pendingCount(),
        );
        metrics.gauge('shop_webhook_paused_endpoints', 'Endpoints whose owner has paused them', () =>
          queue.pausedCount(),
        );
      }
      return delivering;
    },
  };
}

/** @param body the envelope as it was sent; empty if its order has been deleted */
function publishFailure(live: LiveChanges, { storeId, id, event, body }: ClaimedDelivery): void {
  if (!live.isWatched(storeId)) return;
  const orderId =
    body.length === 0 ? null : (JSON.parse(body.toString()) as { data: { id: number } }).data.id;
  live.publish(storeId, {
    kind: 'delivery',
    id,
    operation: 'delivery.failed',
    changed: ['status'],
    more: { event, orderId },
  });
}
