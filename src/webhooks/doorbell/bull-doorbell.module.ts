import { BullModule } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { BullConnections, BullDoorbell, BullDoorbellProcessor, DOORBELL_QUEUE } from './bull-doorbell.js';
import { Doorbell } from './doorbell.js';

@Module({ providers: [BullConnections], exports: [BullConnections] })
class BullConnectionsModule {}

/**
 * The doorbell of a service with a Redis. It is loaded only then, for the memory that Bull and its packages
 * take.
 */
@Module({})
export class BullDoorbellModule {
  static with(redisUrl: string, { roles }: Config): DynamicModule {
    return {
      module: BullDoorbellModule,
      global: true,
      imports: [bullQueue(redisUrl)],
      providers: [
        { provide: Doorbell, useClass: BullDoorbell },
        ...(roles.deliver ? [BullDoorbellProcessor] : []),
      ],
      exports: [Doorbell],
    };
  }
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
