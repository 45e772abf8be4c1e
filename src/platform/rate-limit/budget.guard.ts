import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
} from '@nestjs/throttler';
import { CONFIG, type Config } from '../config/config.js';
import { OperationError } from '../errors.js';
import { networkOf } from '../text/network.js';
import type { Call } from '../store/call.js';
import type { BudgetStorage, Window } from './budget-storage.js';

type Kind = 'read' | 'write';
/** A call of which only the address is known. */
type Anonymous = Pick<Call, 'address' | 'setHeader'>;

const WINDOW_MS = 60_000;

/** The options of ThrottlerModule (docs/behaviour.md §2.3). */
export const budgets = ({ rateLimit }: Config, storage: BudgetStorage) => ({
  storage,
  throttlers: [{ name: 'address', ttl: WINDOW_MS, limit: rateLimit.badTokens, setHeaders: false }],
});

/**
 * @nestjs/throttler's guard over exact sliding windows. The life of a call asks it, and not Nest, because
 * every door has budgets, and because an unknown operation is answered before a spent budget
 * (docs/behaviour.md §1.4). So `canActivate`, which looks for decorators that no handler has, is not used.
 */
@Injectable()
export class BudgetGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() protected override readonly storageService: BudgetStorage,
    reflector: Reflector,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(options, storageService, reflector);
  }

  /**
   * Takes one call off the caller's budget and reports the rest in the response headers.
   * @throws OperationError rate_limited with the seconds to wait
   */
  async spend(call: Call, kind: Kind): Promise<void> {
    const { own, shared, windows } = this.windowsOf(call, kind);
    const [mine, ofAll] = await this.storageService.spend(windows, WINDOW_MS);
    announce(call, own.limit, mine.totalHits, mine.timeToExpire);
    if (mine.isBlocked) refuse(call, own.limit, `${kind} calls per minute`, mine.timeToBlockExpire);
    if (shared && ofAll.isBlocked) refuse(call, shared.limit, shared.what, ofAll.timeToBlockExpire);
    call.timing.countedAt = mine.at;
  }

  /**
   * Counts a write that changed nothing, because it was answered with an earlier result, as a read instead.
   * When there is no room for a read it stays a write, so repeats without end are refused like all calls. Not
   * for a call that lost its connection and then finds its own first result: it has made the change.
   */
  async countAsRead(call: Call): Promise<void> {
    const { own, windows } = this.windowsOf(call, 'write');
    const asRead = this.windowsOf(call, 'read').windows;
    const counted = await this.storageService.spend(asRead, WINDOW_MS);
    if (counted.some(({ isBlocked }) => isBlocked)) return;
    await this.storageService.giveBack(
      windows.map(({ key }) => key),
      call.timing.countedAt!,
    );
    const { hits, seconds } = await this.storageService.peek(own.key, WINDOW_MS);
    announce(call, own.limit, hits, seconds);
  }

  /** The windows of the caller, and of those with whom it shares one. */
  private windowsOf(call: Call, kind: Kind) {
    const own: Window = { key: keyOf(call.auth.principal!.budgetKey, kind), limit: this.limitOf(call, kind) };
    const shared = this.sharedBudget(call, kind);
    return { own, shared, windows: shared ? [own, shared] : [own] };
  }

  /**
   * Takes one call off the caller's budget for lists of tools, prompts and resources. It is apart, because a
   * client that cannot list the tools tells its model nothing, not even how long to wait.
   * @throws OperationError rate_limited with the seconds to wait
   */
  async spendList(call: Call): Promise<void> {
    const window = { key: keyOf(call.auth.principal!.budgetKey, 'list'), limit: this.limitOf(call, 'read') };
    await this.spendWindow(call, window, 'lists of tools, prompts and resources per minute');
  }

  /**
   * The budget that a caller shares with the others of its store: tokens are as many as the store makes, and
   * shoppers as many as its bot signs. A person's is the person's, whatever the store.
   */
  private sharedBudget({ auth, transport }: Call, kind: Kind): (Window & { what: string }) | null {
    const { storeId, actor } = auth.principal!;
    if (actor.kind === 'shopper') {
      const what = 'calls per minute of all shoppers of this store together';
      return { key: `storefront:${storeId}`, limit: this.config.storefrontRateLimit, what };
    }
    if (transport === 'dashboard') return null;
    const what = `${kind} calls per minute of all tokens of this store together`;
    return { key: `store:${storeId}:${kind}`, limit: this.config.storeRateLimit[kind], what };
  }

  /** Limits guesses at tokens by address. @throws OperationError rate_limited */
  async spendRefusedToken(call: Call): Promise<void> {
    await this.spendAddress(call, 'address', 'refused tokens');
  }

  /** Limits callers without a token by address. @throws OperationError rate_limited */
  async spendAddress(call: Anonymous, key: string, what: string): Promise<void> {
    await this.take(call, this.config.rateLimit.badTokens, perAddress(what), trackerOf(call, key));
  }

  /**
   * Counts a read and never refuses it: the operation does not exist, which is answered first
   * (docs/behaviour.md §1.4).
   */
  async count(call: Call, budgetKey = call.auth.principal!.budgetKey): Promise<void> {
    const limit = this.limitOf(call, 'read');
    const key = keyOf(budgetKey, 'read');
    const { totalHits, timeToExpire } = await this.storageService.increment(key, WINDOW_MS, limit, 0, 'read');
    announce(call, limit, totalHits, timeToExpire);
  }

  /** Like `spend`, for a caller who is in no store. @throws OperationError rate_limited */
  async spendOwn(call: Call, budgetKey: string, kind: Kind): Promise<void> {
    const window = { key: keyOf(budgetKey, kind), limit: this.limitOf(call, kind) };
    await this.spendWindow(call, window, `${kind} calls per minute`);
  }

  private async spendWindow(call: Call, window: Window, what: string): Promise<void> {
    const [mine] = await this.storageService.spend([window], WINDOW_MS);
    announce(call, window.limit, mine.totalHits, mine.timeToExpire);
    if (mine.isBlocked) refuse(call, window.limit, what, mine.timeToBlockExpire);
  }

  /**
   * Refuses an address that has spent what `spendAddress` counts under the key, before any work is done for
   * it. @throws OperationError rate_limited
   */
  async refuseSpent(call: Anonymous, key: string, what: string): Promise<void> {
    const limit = this.config.rateLimit.badTokens;
    const { hits, seconds } = await this.storageService.peek(
      keyOf(trackerOf(call, key), 'address'),
      WINDOW_MS,
    );
    if (hits >= limit) refuse(call, limit, perAddress(what), seconds);
  }

  /** Reports the rest of the read budget for a request that is not counted (docs/behaviour.md §1.7). */
  async report(call: Call, budgetKey = call.auth.principal!.budgetKey): Promise<void> {
    const { hits, seconds } = await this.storageService.peek(keyOf(budgetKey, 'read'), WINDOW_MS);
    announce(call, this.limitOf(call, 'read'), hits, seconds);
  }

  /** The rest of a caller's budgets. Counts nothing. */
  async left(call: Call): Promise<Record<Kind, { limit: number; left: number }>> {
    const ask = async (kind: Kind) => {
      const { hits } = await this.storageService.peek(keyOf(call.auth.principal!.budgetKey, kind), WINDOW_MS);
      const limit = this.limitOf(call, kind);
      return { limit, left: Math.max(0, limit - hits) };
    };
    const [read, write] = await Promise.all([ask('read'), ask('write')]);
    return { read, write };
  }

  private take(call: Anonymous, limit: number, what: string, tracker: string) {
    return this.handleRequest({
      context: new ExecutionContextHost([call, what]),
      limit,
      ttl: WINDOW_MS,
      throttler: this.throttlers[0],
      blockDuration: 0,
      getTracker: () => tracker,
      generateKey: this.commonOptions.generateKey!,
    });
  }

  /** People on the dashboard have larger budgets than programs, because they cannot plan their calls. */
  private limitOf({ transport }: Call, kind: Kind): number {
    return (transport === 'dashboard' ? this.config.sessionRateLimit : this.config.rateLimit)[kind];
  }

  protected override getRequestResponse(context: ExecutionContext) {
    const call = context.getArgByIndex<Call>(0);
    return { req: call, res: call };
  }

  protected override generateKey(_context: ExecutionContext, tracker: string, name: string): string {
    return keyOf(tracker, name);
  }

  protected override throwThrottlingException(
    context: ExecutionContext,
    { limit, timeToBlockExpire: wait }: ThrottlerLimitDetail,
  ): never {
    const [call, what] = context.getArgs<[Call, string]>();
    refuse(call, limit, what, wait);
  }
}

function refuse(call: Anonymous, limit: number, what: string, wait: number): never {
  call.setHeader('Retry-After', String(wait));
  const message = `The limit of ${limit} ${what} is reached; try again in ${wait} s`;
  throw new OperationError('rate_limited', message, wait);
}

const trackerOf = ({ address }: Anonymous, key: string) => `${key}:${networkOf(address, 4)}`;
const perAddress = (what: string) => `${what} per minute from one address`;
const keyOf = (tracker: string, name: string) => `${tracker}:${name}`;

function announce(call: Call, limit: number, hits: number, seconds: number): void {
  call.setHeader('RateLimit-Limit', String(limit));
  call.setHeader('RateLimit-Remaining', String(Math.max(0, limit - hits)));
  call.setHeader('RateLimit-Reset', String(seconds));
}
