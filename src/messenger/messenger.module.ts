import { type DynamicModule, Module } from '@nestjs/common';
import { Metrics } from '../platform/observability/metrics.js';
import { GrammyMessenger } from './grammy-messenger.js';
import { Messenger } from './messenger.js';
import { SendRate } from './send-rate.js';

/** The injection token of the Bot API's address. */
export const MESSENGER_API_ROOT = Symbol('MESSENGER_API_ROOT');

const PUBLIC_API_ROOT = 'https://api.telegram.org';

/**
 * Provides the messenger and the send rate that all its users share. It is global, so it is set up only once,
 * where the configuration is known.
 */
@Module({})
export class MessengerModule {
  /**
   * @param apiRoot the address of a self-hosted or test Bot API server (docs/behaviour.md §9); by default the
   * public server
   */
  static forRoot({ apiRoot }: { apiRoot?: string }): DynamicModule {
    return {
      module: MessengerModule,
      global: true,
      providers: [
        { provide: MESSENGER_API_ROOT, useValue: apiRoot ?? PUBLIC_API_ROOT },
        {
          provide: Messenger,
          useFactory: (root: string, metrics: Metrics) => {
            const messenger = new GrammyMessenger(root);
            metrics.outcomes(
              'shop_messenger_calls_total',
              'Calls of the Bot API by outcome',
              messenger.outcomes,
            );
            return messenger;
          },
          inject: [MESSENGER_API_ROOT, Metrics],
        },
        { provide: SendRate, useFactory: () => new SendRate() },
      ],
      exports: [Messenger, SendRate],
    };
  }
}
