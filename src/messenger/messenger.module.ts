import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Metrics } from '../platform/observability/metrics.js';
import { systemTimers } from '../platform/timers.js';
import { GrammyMessenger } from './grammy-messenger.js';
import { Messenger } from './messenger.js';
import { SendRate } from './send-rate.js';

/**
 * Provides the messenger and the send rate that all its users share. It is global, so it is set up only once,
 * where the configuration is known.
 */
@Module({})
export class MessengerModule {
  /** @param apiRoot the address of the Bot API server (docs/behaviour.md §9) */
  static with(apiRoot: string): DynamicModule {
    return {
      module: MessengerModule,
      global: true,
      providers: [
        {
          provide: Messenger,
          useFactory: (metrics: Metrics) => {
            const messenger = new GrammyMessenger(apiRoot);
            metrics.outcomes(
              'shop_messenger_calls_total',
              'Calls of the Bot API by outcome',
              messenger.outcomes,
            );
            return messenger;
          },
          inject: [Metrics],
        },
        {
          provide: SendRate,
          useFactory: (clock: Clock) => new SendRate(clock, systemTimers),
          inject: [Clock],
        },
      ],
      exports: [Messenger, SendRate],
    };
  }
}
