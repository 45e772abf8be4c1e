import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system-database.js';
import type { Call } from '../platform/operation/call.js';
import { OperationError } from '../platform/operation/operation-error.js';

const WINDOW_MS = 15 * 60_000;
/** Passwords tried in a window. An office of people shares an address; what succeeds is given back to it. */
const LIMITS = { account: 10, address: 100 } as const;
const PURGE_BATCH = 100;

type Caller = Pick<Call, 'address' | 'setHeader'>;

interface Counter extends Record<string, unknown> {
  subject: string;
  attempts: number;
  since: Date;
}

/** Both counters, locked until the attempt is counted; always the account's first, so that no two attempts wait for each other. */
const COUNTERS = `
  insert into sign_in_attempts as a (subject, attempts, since) values ($1, 0, $3), ($2, 0, $3)
  on conflict (subject) do update set
    attempts = case when a.since <= $4 then 0 else a.attempts end, since = case when a.since <= $4 then $3 else a.since end
  returning subject, attempts, since`;

const PURGE = `
  delete from sign_in_attempts where subject in (
    select subject from sign_in_attempts where since <= $1 limit ${PURGE_BATCH} for update skip locked)`;

/**
 * Limits how often passwords may be tried, per account and per address. An account that does not exist is counted like any other, so
 * a refusal tells nothing; kept in the database, so that neither a restart nor a second instance gives new tries.
 */
@Injectable()
export class SignInAttempts {
  constructor(
    @Inject(SystemDatabase) private readonly database: SystemDatabase,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt before its password is looked at, so that attempts side by side cannot slip past. A refused one counts for nothing.
   * @throws OperationError rate_limited with the seconds until the window ends
   */
  async count(call: Caller, email: string): Promise<void> {
    const [account, network] = subjects(email, call.address);
    const now = this.clock.now();
    const windowStart = new Date(now.getTime() - WINDOW_MS);
    const wait = await this.database.transaction(async (client) => {
      const { rows } = await client.query<Counter>(COUNTERS, [account, network, now, windowStart]);
      const full = rows.filter(({ subject, attempts }) => attempts >= (subject === account ? LIMITS.account : LIMITS.address));
      if (full.length > 0) return Math.max(...full.map(({ since }) => since.getTime() + WINDOW_MS - now.getTime()));
      await client.query('update sign_in_attempts set attempts = attempts + 1 where subject in ($1, $2)', [account, network]);
      return 0;
    });
    await this.database.query(PURGE, [windowStart]);
    if (wait > 0) {
      const seconds = Math.max(1, Math.ceil(wait / 1000));
      call.setHeader('Retry-After', String(seconds));
      throw new OperationError('rate_limited', `Too many sign-in attempts; try again in ${seconds} s`, seconds);
    }
  }

  /** The password was right: the account starts anew, and the address gets this attempt back. */
  async forgive(call: Caller, email: string): Promise<void> {
    await this.database.query(
      `update sign_in_attempts set attempts = case when subject = $1 then 0 else greatest(attempts - 1, 0) end where subject in ($1, $2)`,
      subjects(email, call.address),
    );
  }
}

/** Hashed, since people also type passwords into the wrong field. */
function subjects(email: string, address: string): [account: string, address: string] {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  return [`account:${hash(email)}`, `address:${hash(networkOf(address))}`];
}

/** One customer of an IPv6 provider has a whole /64 to call from. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
