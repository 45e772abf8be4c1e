import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { Listener } from '../../platform/database/connections/listener.js';
import { Dispatcher } from '../delivery/dispatcher.js';
import { Doorbell } from './doorbell.js';
import { DOORBELL_CHANNEL, PostgresDoorbell } from './postgres-doorbell.js';

/** The doorbell of a service without a Redis. A process that delivers rings for its own changes directly. */
@Module({})
export class PostgresDoorbellModule {
  static with({ roles }: Config): DynamicModule {
    const listening = {
      provide: Doorbell,
      inject: [PostgresDoorbell, Listener, Dispatcher],
      useFactory: (doorbell: PostgresDoorbell, listener: Listener, dispatcher: Dispatcher) => {
        listener.on(DOORBELL_CHANNEL, (storeId) => dispatcher.ring(storeId));
        listener.onGap(() => void dispatcher.sweep());
        return roles.deliver ? within(dispatcher) : doorbell;
      },
    };
    return {
      module: PostgresDoorbellModule,
      global: true,
      providers: [PostgresDoorbell, listening],
      exports: [Doorbell],
    };
  }
}

/**
 * Rings within this process; other processes find by their sweeps what this one has no free slots for. It is
 * not the dispatcher itself, because Nest would start that twice, once for each provider.
 */
function within(dispatcher: Dispatcher): Doorbell {
  return { ring: (storeId) => dispatcher.ring(storeId), settled: async () => undefined };
}
