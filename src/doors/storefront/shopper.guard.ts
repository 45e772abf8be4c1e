import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BotCredentials } from '../../groups/bot/bot-credentials.service.js';
import { Clock } from '../../platform/clock.js';
import { StoreDatabase } from '../../platform/store/store-database.js';
import type { Call } from '../../platform/store/call.js';
import { noSuchStore, OperationError } from '../../platform/errors.js';
import { BudgetKeeper } from '../../platform/rate-limit/budget-keeper.js';
import { type Store, Stores } from '../../stores/stores.service.js';
import { verifyInitData } from './init-data.js';
import { nameOf } from './messenger-user.js';
import { shopperRouteOf, type Visitor } from './shopper-route.metadata.js';

/**
 * Finds out which shopper calls: 404 for an unknown store, 401 without init data that the store's bot token proves, 429 over the
 * shopper's budget. Refused guesses are limited by address, as those at tokens are.
 */
@Injectable()
export class ShopperGuard implements CanActivate {
  constructor(
    private readonly stores: Stores,
    private readonly database: StoreDatabase,
    private readonly credentials: BotCredentials,
    private readonly budgets: BudgetKeeper,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { call } = request;
    call.setHeader('Cache-Control', 'no-store');
    const store = await this.storeOf(request);
    request.visitor = await this.identify(store, call);
    const { shopper } = request.visitor;
    call.principal = {
      storeId: store.id,
      currency: store.currency,
      scope: 'read',
      actor: { kind: 'shopper', id: shopper.id, name: nameOf(shopper) },
      budgetKey: `shopper:${store.id}:${shopper.id}`,
    };
    await this.budgets.spend(call, shopperRouteOf(context.getHandler())!.kind);
    return true;
  }

  private storeOf({ call, params }: Request): Promise<Store> {
    return this.stores.get(String(params.storeId)).catch((error: unknown) => {
      if (!(error instanceof OperationError)) throw error;
      return this.refuse(call, noSuchStore());
    });
  }

  private async identify(store: Store, call: Call): Promise<Visitor> {
    const [, text] = /^tma (.+)$/i.exec(call.headers.authorization ?? '') ?? [];
    const principal = {
      storeId: store.id,
      currency: store.currency,
      actor: { kind: 'system', id: null, name: 'storefront' } as const,
    };
    const bot = text === undefined ? null : await this.database.inStore(principal, (ctx) => this.credentials.find(ctx));
    const initData = bot && verifyInitData(text, bot.token, this.clock.now());
    if (initData) return { ...initData, botUsername: bot.username, call };
    const message = "The messenger's init data is missing, older than a day, or not signed for this store's bot";
    return this.refuse(call, new OperationError('invalid_token', message));
  }

  private async refuse(call: Call, error: OperationError): Promise<never> {
    await this.budgets.spendRefusedToken(call);
    throw error;
  }
}
