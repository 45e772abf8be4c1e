import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import type { Call } from '../platform/store/call.js';
import { OperationError } from '../platform/errors.js';
import { type AttemptLimit, LONGEST_WINDOW_MS, subjectsOfAccount } from './attempt-limits.js';

const PURGE_BATCH = 100;

interface Counter extends Record<string, unknown> {
  subject: string;
  attempts: number;
  since: Date;
}

/** Locks the counters until the attempt is counted, in one order, so that no two attempts wait for each other. */
const LOCK = `
  insert into sign_in_attempts as a (subject, attempts, since)
  select subject, 0, $2 from unnest($1::text[]) subject order by subject
  on conflict (subject) do update set attempts = a.attempts
  returning subject, attempts, since`;

const COUNT = `
  update sign_in_attempts a set attempts = c.attempts, since = c.since
  from unnest($1::text[], $2::int[], $3::timestamptz[]) c (subject, attempts, since) where a.subject = c.subject`;

const PURGE = `
  delete from sign_in_attempts where subject in (
    select subject from sign_in_attempts where since <= $1 limit ${PURGE_BATCH} for update skip locked)`;

/**
 * Counts attempts at passwords and codes. The counts are kept in the database, so that neither a restart nor a second instance
 * gives new tries.
 */
@Injectable()
export class Attempts {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt before it is looked at, so that attempts side by side cannot slip past. A refused one counts for nothing.
   * @throws OperationError rate_limited with the seconds until the window ends
   */
  async count(call: Pick<Call, 'setHeader'>, limits: AttemptLimit[]): Promise<void> {
    const wait = await this.waitFor(limits);
    if (wait === 0) return;
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    call.setHeader('Retry-After', String(seconds));
    throw new OperationError('rate_limited', `Too many attempts; try again in ${seconds} s`, seconds);
  }

  /** Counts an attempt if the limits allow it. @returns the milliseconds to wait otherwise, 0 when it was counted */
  async waitFor(limits: AttemptLimit[]): Promise<number> {
    const now = this.clock.now();
    const subjects = limits.map(({ subject }) => subject);
    const wait = await this.database.transaction(async (client) => {
      const { rows } = await client.query<Counter>(LOCK, [subjects, now]);
      const states = limits.map(({ subject, max, windowMs }) => {
        const { attempts, since } = rows.find((row) => row.subject === subject)!;
        const left = since.getTime() + windowMs - now.getTime();
        return left <= 0 ? { attempts: 0, since: now, wait: 0 } : { attempts, since, wait: attempts >= max ? left : 0 };
      });
      const longest = Math.max(...states.map((state) => state.wait));
      if (longest > 0) return longest;
      await client.query(COUNT, [subjects, states.map(({ attempts }) => attempts + 1), states.map(({ since }) => since)]);
      return 0;
    });
    await this.database.query(PURGE, [new Date(now.getTime() - LONGEST_WINDOW_MS)]);
    return wait;
  }

  /** The password or code was right. */
  async forgive(limits: AttemptLimit[]): Promise<void> {
    await this.database.query(
      `update sign_in_attempts a set attempts = case when l.anew then 0 else greatest(a.attempts - 1, 0) end
       from unnest($1::text[], $2::boolean[]) l (subject, anew) where a.subject = l.subject`,
      [limits.map(({ subject }) => subject), limits.map(({ afterSuccess }) => afterSuccess === 'starts anew')],
    );
  }

  /** For the operator, who lets a person in again. */
  async clear(email: string): Promise<void> {
    await this.database.query('delete from sign_in_attempts where subject like any ($1)', [subjectsOfAccount(email)]);
  }
}
