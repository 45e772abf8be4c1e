import { BullModule } from '@nestjs/bull';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { newId } from '../platform/ids.js';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { SecretBox } from '../platform/crypto/secret-box.js';
import { Listener } from '../platform/database/listener.js';
import { Metrics } from '../platform/observability/metrics.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { LiveChanges } from '../platform/store/live-changes.js';
import { systemTimers } from '../platform/timers.js';
import { BullConnections, BullDoorbell, BullDoorbellProcessor, DOORBELL_QUEUE } from './doorbell/bull-doorbell.js';
import { Deliveries } from './delivery/deliveries.service.js';
import { type ClaimedDelivery, DeliveryQueue } from './delivery/delivery-queue.js';
import { DeliveryPacking } from './delivery/delivery-packing.service.js';
import { DeliveryStats } from './delivery/delivery-stats.service.js';
import { DeliveryMetrics } from './delivery/delivery-metrics.js';
import { Dispatcher } from './delivery/dispatcher.js';
import { Doorbell } from './doorbell/doorbell.js';
import { DOORBELL_CHANNEL, PostgresDoorbell } from './doorbell/postgres-doorbell.js';
import { EventUpkeep } from './events/event-upkeep.service.js';
import { WebhookClient } from './delivery/webhook-client.js';
import { WebhookEndpoints } from './endpoint/webhook-endpoints.service.js';

@Module({ providers: [BullConnections], exports: [BullConnections] })
class BullConnectionsModule {}

/** Order webhooks. The doorbell is Bull if there is a Redis, otherwise the database's notifications. */
@Module({})
export class WebhooksModule {
  static with(config: Config): DynamicModule {
    return {
      module: WebhooksModule,
      global: true,
      imports: config.redisUrl ? [bullQueue(config.redisUrl)] : [],
      providers: [
        DeliveryQueue,
        dispatcher(config),
        Deliveries,
        DeliveryStats,
        DeliveryPacking,
        WebhookEndpoints,
        EventUpkeep,
        ...(config.redisUrl ? bullDoorbell(config) : postgresDoorbell(config)),
      ],
      exports: [Doorbell, Deliveries, DeliveryStats, EventUpkeep, WebhookEndpoints, Dispatcher],
    };
  }
}

function dispatcher({ roles, webhook }: Config): Provider {
  const { timeoutMs, retryDelaysSeconds, allowPrivateTargets: allowPrivate } = webhook;
  return {
    provide: Dispatcher,
    inject: [DeliveryQueue, SecretBox, Clock, Metrics, LOGGER, LiveChanges],
    useFactory: (queue: DeliveryQueue, secrets: SecretBox, clock: Clock, metrics: Metrics, log: Logger, live: LiveChanges) => {
      const client = new WebhookClient({ allowPrivate, timeoutMs });
      const onFailed = (delivery: ClaimedDelivery) => publishFailure(live, delivery);
      const parts = { queue, client, secrets, clock, timers: systemTimers, newId, onFailed, log };
      const settings = { delivers: roles.deliver, timeoutMs, retryDelaysSeconds };
      const delivering = new Dispatcher(settings, { ...parts, metrics: new DeliveryMetrics(metrics) });
      metrics.gauge('shop_webhook_in_flight', 'Deliveries under way in this process', () => delivering.underWay);
      if (roles.deliver) {
        metrics.gauge('shop_webhook_pending', 'Deliveries not settled yet; over 100,000 an estimate', () => queue.pendingCount());
        metrics.gauge('shop_webhook_paused_endpoints', 'Endpoints whose owner has paused them', () => queue.pausedCount());
      }
      return delivering;
    },
  };
}

/** @param body the envelope as it was sent; empty if its order has been deleted */
function publishFailure(live: LiveChanges, { storeId, id, event, body }: ClaimedDelivery): void {
  if (!live.isWatched(storeId)) return;
  const orderId = body.length === 0 ? null : (JSON.parse(body.toString()) as { data: { id: number } }).data.id;
  live.publish(storeId, { kind: 'delivery', id, operation: 'delivery.failed', changed: ['status'], more: { event, orderId } });
}

/** A process that delivers rings for its own changes directly. If it has no free slots, the others find them by their sweeps. */
function postgresDoorbell({ roles }: Config): Provider[] {
  const listening = {
    provide: Doorbell,
    inject: [PostgresDoorbell, Listener, Dispatcher],
    useFactory: (doorbell: PostgresDoorbell, listener: Listener, dispatcher: Dispatcher) => {
      listener.on(DOORBELL_CHANNEL, (storeId) => dispatcher.ring(storeId));
      listener.onGap(() => void dispatcher.sweep());
      return roles.deliver ? within(dispatcher) : doorbell;
    },
  };
  return [PostgresDoorbell, listening];
}

/** Rings within this process. It is not the dispatcher itself, because Nest would start that twice, once for each provider. */
function within(dispatcher: Dispatcher): Doorbell {
  return { ring: (storeId) => dispatcher.ring(storeId), settled: async () => undefined };
}

function bullDoorbell(config: Config): Provider[] {
  return [{ provide: Doorbell, useClass: BullDoorbell }, ...(config.roles.deliver ? [BullDoorbellProcessor] : [])];
}

function bullQueue(redisUrl: string): DynamicModule {
  return BullModule.registerQueueAsync({
    name: DOORBELL_QUEUE,
    imports: [BullConnectionsModule],
    inject: [BullConnections],
    useFactory: (connections: BullConnections) => ({
      createClient: (kind) => connections.create(redisUrl, kind),
      // A ring that stalls with its worker is passed on until a worker handles it.
      settings: { lockDuration: 20_000, stalledInterval: 5_000, maxStalledCount: 1_000 },
    }),
  });
}
