import { BullModule } from '@nestjs/bull';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import { Listener } from '../platform/database/listener.js';
import { BullConnections, BullDoorbell, BullDoorbellProcessor, DOORBELL_QUEUE } from './bull-doorbell.js';
import { Deliveries } from './deliveries.service.js';
import { DeliveryQueue } from './delivery-queue.js';
import { Dispatcher } from './dispatcher.service.js';
import { Doorbell } from './doorbell.js';
import { DOORBELL_CHANNEL, PostgresDoorbell } from './postgres-doorbell.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

@Module({ providers: [BullConnections], exports: [BullConnections] })
class BullConnectionsModule {}

/** Order webhooks. With Redis the doorbell is Bull; without, the database's notifications. */
@Module({})
export class WebhooksModule {
  static with(config: Config): DynamicModule {
    return {
      module: WebhooksModule,
      global: true,
      imports: config.redisUrl ? [bullQueue(config.redisUrl)] : [],
      providers: [
        DeliveryQueue,
        Dispatcher,
        Deliveries,
        WebhookEndpoints,
        ...(config.redisUrl ? bullDoorbell(config) : postgresDoorbell(config)),
      ],
      exports: [Doorbell, Deliveries, WebhookEndpoints, Dispatcher],
    };
  }
}

/** A process that delivers hears its own changes without the database's help; the others find what it cannot take by their sweeps. */
function postgresDoorbell({ roles }: Config): Provider[] {
  const listening = {
    provide: Doorbell,
    inject: [PostgresDoorbell, Listener, Dispatcher],
    useFactory: (doorbell: PostgresDoorbell, listener: Listener, dispatcher: Dispatcher) => {
      listener.on(DOORBELL_CHANNEL, (storeId) => dispatcher.ring(storeId));
      listener.onGap(() => void dispatcher.sweep());
      // Not the dispatcher itself: Nest would start it twice, once as each of its two providers.
      return roles.deliver ? { ring: (storeId: string) => dispatcher.ring(storeId) } : doorbell;
    },
  };
  return [PostgresDoorbell, listening];
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
      // A ring that stalls with its worker is handed on until somebody hears it.
      settings: { lockDuration: 20_000, stalledInterval: 5_000, maxStalledCount: 1_000 },
    }),
  });
}
