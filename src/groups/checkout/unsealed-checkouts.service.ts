import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { StoreDatabase } from '../../platform/store/store-database.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Stores } from '../../stores/stores.service.js';
import { CheckoutConfiguration } from './checkout-configuration.service.js';

/**
 * Before the first call, seals the payment_button settings that older versions stored unsealed. A migration
 * cannot do this, because it has no key.
 */
@Injectable()
export class UnsealedCheckouts implements OnApplicationBootstrap {
  constructor(
    private readonly stores: Stores,
    private readonly database: StoreDatabase,
    private readonly checkout: CheckoutConfiguration,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const storeId of await this.stores.withUnsealedCheckout()) {
      try {
        const operator = await this.stores.operator(storeId);
        await this.database.inStore(operator, (ctx) => this.checkout.seal(ctx));
      } catch (error) {
        this.log.error(
          { err: error, storeId },
          'the payment buttons of a store could not be sealed; the next start tries again',
        );
      }
    }
  }
}
