import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BotCredentials, type StoreBot } from '../../groups/bot/bot-credentials.service.js';
import { StoreDatabase } from '../../platform/store/store-context.js';
import { OperationError } from '../../platform/errors.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { type Store, Stores } from '../../stores/stores.service.js';

/** The bot that received an update, and its store. */
export interface BotSender {
  store: Store;
  bot: StoreBot;
  requestId: string;
}

/**
 * Answers 401 unless the update has the secret with which the store's bot was registered. An unknown store
 * and a store without a bot get the same answer.
 */
@Injectable()
export class BotSenderGuard implements CanActivate {
  constructor(
    private readonly stores: Stores,
    private readonly database: StoreDatabase,
    private readonly credentials: BotCredentials,
    private readonly budgets: BudgetGuard,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { call, params } = context.switchToHttp().getRequest<Request>();
    const sender = await this.find(String(params.storeId), call.requestId);
    const given = call.headers['x-telegram-bot-api-secret-token'];
    if (!sender || typeof given !== 'string' || !isSame(given, sender.bot.webhookSecret)) {
      await this.budgets.spendRefusedToken(call);
      throw new OperationError('invalid_token', 'The secret token is missing or wrong');
    }
    call.auth.caller = sender;
    return true;
  }

  private async find(storeId: string, requestId: string): Promise<BotSender | null> {
    const store = await this.stores.get(storeId).catch((error: unknown) => {
      if (error instanceof OperationError) return null;
      throw error;
    });
    if (!store) return null;
    const principal = {
      storeId: store.id,
      currency: store.currency,
      actor: { kind: 'system', id: null, name: 'messenger' } as const,
    };
    const bot = await this.database.inStore(principal, (ctx) => this.credentials.find(ctx));
    return bot && { store, bot, requestId };
  }
}

/** Compares hashes, which have equal lengths, so that the duration reveals nothing about either text. */
function isSame(given: string, secret: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(secret));
}
