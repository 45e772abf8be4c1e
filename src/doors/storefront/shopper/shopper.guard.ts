import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BotCredentials, type StoreBot } from '../../../groups/bot/bot-credentials.service.js';
import { DemoShopper } from '../../../groups/bot/demo-shopper.service.js';
import { banned, FirstContact, type Shopper } from '../../../groups/customers/first-contact.service.js';
import type { CallRequest } from '../../../platform/call/endpoint.js';
import { Clock } from '../../../platform/clock.js';
import { noSuchStore, OperationError } from '../../../platform/errors.js';
import { BudgetGuard } from '../../../platform/rate-limit/budget.guard.js';
import { type Call, suspension } from '../../../platform/store/call.js';
import { type StoreContext, StoreDatabase } from '../../../platform/store/store-context.js';
import { type Store, Stores } from '../../../stores/stores.service.js';
import { verifyInitData } from './init-data.js';
import { nameOf, referrerOf } from './messenger-user.js';
import { FIND_SHOPPER } from '../storefront.statements.js';

/** The shopper who makes a call of the storefront, verified with the token of the store's bot. */
export interface Visitor {
  shopper: Shopper;
  /** The parameter of the link with which the shopper opened the Mini App. */
  startParam: string | null;
  bot: Pick<StoreBot, 'username' | 'hasMainApp'>;
}

/** The shopper of the demo store. */
const NO_BOT = { username: '', hasMainApp: false };

/**
 * Identifies the shopper who calls. An unknown store is answered with 404, and init data that is not signed
 * with the store's bot token with 401. Refused calls are limited by address, like those with wrong tokens. An
 * unknown shopper becomes a customer with the first call of any route.
 */
@Injectable()
export class ShopperGuard implements CanActivate {
  constructor(
    private readonly stores: Stores,
    private readonly database: StoreDatabase,
    private readonly credentials: BotCredentials,
    private readonly contacts: FirstContact,
    private readonly budgets: BudgetGuard,
    private readonly clock: Clock,
    private readonly demo: DemoShopper,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & CallRequest>();
    const { call, params } = request;
    call.setHeader('Cache-Control', 'no-store');
    const store = await this.storeOf(String(params.storeId), call);
    const system = {
      storeId: store.id,
      currency: store.currency,
      actor: { kind: 'system', id: null, name: 'storefront' } as const,
    };
    await this.database.inStore(system, (ctx) => this.identify(ctx, request, suspension(store)));
    return true;
  }

  private storeOf(storeId: string, call: Call): Promise<Store> {
    return this.stores.get(storeId).catch((error: unknown) => {
      if (!(error instanceof OperationError)) throw error;
      return this.refuse(call, noSuchStore());
    });
  }

  private async identify(
    ctx: StoreContext,
    request: Request & CallRequest,
    suspended?: OperationError,
  ): Promise<void> {
    const { call } = request;
    const [, text] = /^tma (.+)$/i.exec(call.headers.authorization ?? '') ?? [];
    const bot = text === undefined ? null : await this.credentials.find(ctx);
    const tokens = [bot?.token ?? null, this.demo.tokenFor(ctx.storeId, request)];
    const verified = tokens.map((token) => token && verifyInitData(text ?? '', token, this.clock.now()));
    const initData = verified.find(Boolean);
    if (!initData) {
      const message =
        "The messenger's init data is missing, older than a day, or not signed for this store's bot";
      return this.refuse(call, new OperationError('invalid_token', message).about('signed_out'));
    }
    const { shopper, startParam } = initData;
    const [known] = await ctx.session.read(FIND_SHOPPER, { customerId: shopper.id });
    call.auth.caller = { ...initData, bot: bot ?? NO_BOT } satisfies Visitor;
    call.auth.principal = {
      storeId: ctx.storeId,
      currency: ctx.currency,
      scope: 'read',
      actor: { kind: 'shopper', id: shopper.id, name: nameOf(shopper) },
      budgetKey: `shopper:${ctx.storeId}:${shopper.id}`,
      refusal: suspended ?? (known?.isBanned ? banned() : undefined),
    };
    if (known) return;
    request.admit = async (ctx) => {
      const { isBanned } = await this.contacts.touch(ctx, shopper, referrerOf(startParam));
      if (isBanned) throw banned();
    };
  }

  private async refuse(call: Call, error: OperationError): Promise<never> {
    await this.budgets.spendRefusedToken(call);
    throw error;
  }
}
