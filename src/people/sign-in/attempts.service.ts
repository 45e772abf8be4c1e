import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { runOn, SystemDatabase } from '../../platform/database/system.js';
import type { Call } from '../../platform/store/call.js';
import { OperationError } from '../../platform/errors.js';
import type { Account } from '../accounts/accounts.service.js';
import { type AttemptLimit, subjectsOfAccount } from './attempt-limits.js';
import * as sql from './attempts.statements.js';

/**
 * Counts attempts at passwords and codes. The counts are kept in the database, so that a restart or a second
 * instance does not allow further attempts.
 */
@Injectable()
export class Attempts {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt before it is checked, so that concurrent attempts cannot exceed the limit. A refused
   * attempt is not counted.
   * @throws OperationError rate_limited with the seconds until the window ends
   */
  async count(call: Pick<Call, 'setHeader'>, limits: AttemptLimit[]): Promise<void> {
    const wait = await this.waitFor(limits);
    if (wait === 0) return;
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    call.setHeader('Retry-After', String(seconds));
    throw new OperationError('rate_limited', `Too many attempts; try again in ${seconds} s`, seconds);
  }

  /**
   * Counts an attempt if the limits allow it. @returns 0 if it was counted, otherwise the milliseconds to
   * wait
   */
  async waitFor(limits: AttemptLimit[]): Promise<number> {
    const now = this.clock.now();
    const subjects = limits.map(({ subject }) => subject);
    return this.database.transaction(async (client) => {
      const rows = await runOn(client, sql.LOCK, { subjects, now });
      const states = limits.map(({ subject, max, windowMs }) => {
        const { attempts, since } = rows.find((row) => row.subject === subject)!;
        const left = since.getTime() + windowMs - now.getTime();
        return left <= 0
          ? { attempts: 0, since: now, wait: 0 }
          : { attempts, since, wait: attempts >= max ? left : 0 };
      });
      const longest = Math.max(...states.map((state) => state.wait));
      if (longest > 0) return longest;
      await runOn(client, sql.COUNT, {
        subjects,
        attempts: states.map(({ attempts }) => attempts + 1),
        since: states.map(({ since }) => since),
      });
      return 0;
    });
  }

  /** To be called when the password or code was right. */
  async giveBack(limits: AttemptLimit[]): Promise<void> {
    await this.database.run(sql.GIVE_BACK, {
      subjects: limits.map(({ subject }) => subject),
      isReset: limits.map(({ afterSuccess }) => afterSuccess === 'reset'),
    });
  }

  /** Lets the operator clear the counters of a person who was locked out. */
  async clear({ userId, email }: Pick<Account, 'userId' | 'email'>): Promise<void> {
    await this.database.run(sql.CLEAR, { patterns: subjectsOfAccount(userId, email) });
  }
}
