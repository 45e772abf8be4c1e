import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { BudgetStorage, Spent } from './budget-storage.js';
import { CONFIG, type Config } from '../config/config.js';
import type { Call } from '../store/call.js';
import { OperationError } from '../errors.js';
import { networkOf } from '../network.js';

const WINDOW_MS = 60_000;

/**
 * The per-minute budgets of docs/behaviour.md §2.3, kept in @nestjs/throttler's storage: in this process, or
 * in Redis for all instances.
 */
@Injectable()
export class BudgetKeeper {
  constructor(
    @Inject(ThrottlerStorage) private readonly storage: BudgetStorage,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Takes one call off the caller's budget and reports the rest in the response headers.
   * @throws OperationError rate_limited with the seconds to wait
   */
  spend(call: Call, kind: 'read' | 'write'): void | Promise<void> {
    const limit = this.limitOf(call, kind);
    const spent = this.storage.increment(`${call.principal!.budgetKey}:${kind}`, WINDOW_MS, limit, 0, kind);
    const judge = ({ totalHits, timeToExpire, isBlocked, timeToBlockExpire }: Spent): void => {
      announce(call, limit, totalHits, timeToExpire);
      if (isBlocked) this.refuse(call, timeToBlockExpire, `${limit} ${kind} calls per minute`);
    };
    return spent instanceof Promise ? spent.then(judge) : judge(spent);
  }

  /**
   * Counts a read and never refuses it: the operation does not exist, which is answered first
   * (docs/behaviour.md §1.4).
   */
  async count(call: Call): Promise<void> {
    const limit = this.limitOf(call, 'read');
    const { totalHits, timeToExpire } = await this.storage.increment(
      `${call.principal!.budgetKey}:read`,
      WINDOW_MS,
      limit,
      0,
      'read',
    );
    announce(call, limit, totalHits, timeToExpire);
  }

  /** Reports the rest of the read budget for a request that is not counted (docs/behaviour.md §1.7). */
  async report(call: Call, budgetKey = call.principal!.budgetKey): Promise<void> {
    const { hits, seconds } = await this.storage.peek(`${budgetKey}:read`, WINDOW_MS);
    announce(call, this.limitOf(call, 'read'), hits, seconds);
  }

  /** The rest of a caller's budgets. Counts nothing. */
  async left(call: Call): Promise<Record<'read' | 'write', { limit: number; left: number }>> {
    const ask = async (kind: 'read' | 'write') => {
      const { hits } = await this.storage.peek(`${call.principal!.budgetKey}:${kind}`, WINDOW_MS);
      const limit = this.limitOf(call, kind);
      return { limit, left: Math.max(0, limit - hits) };
    };
    const [read, write] = await Promise.all([ask('read'), ask('write')]);
    return { read, write };
  }

  /** Limits guesses at tokens by address. @throws OperationError rate_limited */
  async spendRefusedToken(call: Call): Promise<void> {
    await this.spendAddress(call, 'address', 'refused tokens');
  }

  /** Limits callers without a token by address. @throws OperationError rate_limited */
  async spendAddress(call: Call, key: string, what: string): Promise<void> {
    const limit = this.config.rateLimit.badTokens;
    const record = await this.storage.increment(
      `${key}:${networkOf(call.address, 4)}`,
      WINDOW_MS,
      limit,
      0,
      'address',
    );
    if (record.isBlocked)
      this.refuse(call, record.timeToBlockExpire, `${limit} ${what} per minute from one address`);
  }

  /** People on the dashboard have larger budgets than programs, because they cannot plan their calls. */
  private limitOf({ transport }: Call, kind: 'read' | 'write'): number {
    return (transport === 'dashboard' ? this.config.sessionRateLimit : this.config.rateLimit)[kind];
  }

  private refuse(call: Call, seconds: number, limit: string): never {
    const wait = Math.max(1, seconds);
    call.setHeader('Retry-After', String(wait));
    throw new OperationError(
      'rate_limited',
      `The limit of ${limit} is reached; try again in ${wait} s`,
      wait,
    );
  }
}

function announce(call: Call, limit: number, hits: number, seconds: number): void {
  call.setHeader('RateLimit-Limit', String(limit));
  call.setHeader('RateLimit-Remaining', String(Math.max(0, limit - hits)));
  call.setHeader('RateLimit-Reset', String(seconds));
}
