import { Injectable } from '@nestjs/common';
import { Caps } from '../../platform/caps/caps.js';
import { Clock } from '../../platform/clock.js';
import type { RowOf } from '../../platform/database/statement.js';
import { runOn, SignInDatabase } from '../../platform/database/system.js';
import type { Call } from '../../platform/store/call.js';
import { OperationError } from '../../platform/errors.js';
import type { Account } from '../accounts/accounts.service.js';
import { type AttemptLimit, subjectsOfAccount } from './attempt-limits.js';
import * as sql from './attempts.statements.js';

/** How long this process remembers that a subject has no attempts left: another may give some back. */
const REMEMBERED_MS = 1_000;
const MOST_REMEMBERED = 10_000;

/** The counters have no attempt left. It ends the transaction, so that a refusal leaves no rows. */
class NoneLeft extends Error {
  constructor(readonly waitMs: number) {
    super();
  }
}

/**
 * Counts attempts at passwords and codes. The counts are kept in the database, so that a restart or a second
 * instance does not allow further attempts. A refusal costs less than an attempt: it is remembered for a
 * second, writes nothing, and takes only a few of the connections (docs/behaviour.md §12).
 */
@Injectable()
export class Attempts {
  /** Subjects without an attempt left: until when that is so, and how long it is believed. */
  private readonly spent = new Map<string, { until: number; believedUntil: number }>();

  constructor(
    private readonly database: SignInDatabase,
    private readonly caps: Caps,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt before it is checked, so that concurrent attempts cannot exceed the limit. A refused
   * attempt is not counted.
   * @throws OperationError rate_limited with the seconds until the window ends
   */
  async count(call: Pick<Call, 'setHeader' | 'address'>, limits: AttemptLimit[]): Promise<void> {
    const wait = await this.waitFor(limits, call);
    if (wait === 0) return;
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    call.setHeader('Retry-After', String(seconds));
    throw new OperationError('rate_limited', `Too many attempts; try again in ${seconds} s`, seconds);
  }

  /**
   * Counts an attempt if the limits allow it. @returns 0 if it was counted, otherwise the milliseconds to
   * wait
   */
  async waitFor(limits: AttemptLimit[], call?: Pick<Call, 'setHeader' | 'address'>): Promise<number> {
    const remembered = this.remembered(limits);
    if (remembered > 0) return remembered;
    return this.caps.within('attempts', { address: call?.address }, call, () => this.ask(limits));
  }

  private async ask(limits: AttemptLimit[]): Promise<number> {
    // Others of the same line may have learnt it meanwhile.
    const remembered = this.remembered(limits);
    if (remembered > 0) return remembered;
    const now = this.clock.now();
    const subjects = limits.map(({ subject }) => subject);
    const read = stateOf(limits, await this.database.read(sql.FIND, { subjects }), now);
    if (read.wait > 0) return this.remember(limits, read.waits, now);
    try {
      await this.database.transaction(async (client) => {
        const { states, waits, wait } = stateOf(
          limits,
          await runOn(client, sql.LOCK, { subjects, now }),
          now,
        );
        if (wait > 0) throw new NoneLeft(this.remember(limits, waits, now));
        await runOn(client, sql.COUNT, {
          subjects,
          attempts: states.map(({ attempts }) => attempts + 1),
          since: states.map(({ since }) => since),
        });
      });
      return 0;
    } catch (error) {
      if (error instanceof NoneLeft) return error.waitMs;
      throw error;
    }
  }

  private remembered(limits: AttemptLimit[]): number {
    const now = this.clock.now().getTime();
    const waits = limits.map(({ subject }) => {
      const known = this.spent.get(subject);
      if (known && known.believedUntil > this.clock.elapsed() && known.until > now) return known.until - now;
      this.spent.delete(subject);
      return 0;
    });
    return Math.max(...waits);
  }

  private remember(limits: AttemptLimit[], waits: number[], now: Date): number {
    if (this.spent.size > MOST_REMEMBERED) this.spent.clear();
    const believedUntil = this.clock.elapsed() + REMEMBERED_MS;
    limits.forEach(({ subject }, i) => {
      if (waits[i] > 0) this.spent.set(subject, { until: now.getTime() + waits[i], believedUntil });
    });
    return Math.max(...waits);
  }

  /** To be called when the password or code was right. */
  async giveBack(limits: AttemptLimit[]): Promise<void> {
    for (const { subject } of limits) this.spent.delete(subject);
    const subjects = limits.map(({ subject }) => subject);
    await this.database.transaction(async (client) => {
      await runOn(client, sql.LOCK, { subjects, now: this.clock.now() });
      await runOn(client, sql.GIVE_BACK, {
        subjects,
        isReset: limits.map(({ afterSuccess }) => afterSuccess === 'reset'),
      });
    });
  }

  /** Lets the operator clear the counters of a person who was locked out. */
  async clear({ userId, email }: Pick<Account, 'userId' | 'email'>): Promise<void> {
    await this.database.query(sql.CLEAR, { patterns: subjectsOfAccount(userId, email) });
  }
}

type Counted = RowOf<typeof sql.FIND>;

/** What the counters say at a time. One that is missing, or whose window is over, has counted nothing. */
function stateOf(limits: AttemptLimit[], rows: Counted[], now: Date) {
  const found = limits.map(({ subject }) => rows.find((row) => row.subject === subject));
  const left = limits.map(({ windowMs }, i) =>
    found[i] ? found[i].since.getTime() + windowMs - now.getTime() : 0,
  );
  const states = found.map((row, i) =>
    row && left[i] > 0 ? { attempts: row.attempts, since: row.since } : { attempts: 0, since: now },
  );
  const waits = limits.map(({ max }, i) => (states[i].attempts >= max ? left[i] : 0));
  return { states, waits, wait: Math.max(...waits) };
}
