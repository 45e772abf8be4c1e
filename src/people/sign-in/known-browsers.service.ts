import { Injectable } from '@nestjs/common';
import { hashToken } from '../../platform/auth/token.js';
import { Clock } from '../../platform/clock.js';
import { SignInDatabase } from '../../platform/database/system.js';
import { FORGET_BROWSERS } from '../accounts/accounts.statements.js';
import { newSecret } from '../accounts/one-time-link.js';
import { emailKey } from '../../platform/text/keys.js';
import { systemStatement } from '../../platform/database/statement.js';
import type { Call } from '../../platform/store/call.js';

/** A person's browser, signed in or not. */
export interface Visitor extends Pick<Call, 'address' | 'setHeader'> {
  userAgent: string | undefined;
  /** The cookie that KnownBrowsers gave it. */
  browserCookie: string | null;
}

// For the system role: people may belong to any number of stores.

/** The most browsers per person. Those unused the longest are forgotten first. */
const MAX_PER_USER = 20;

const REMEMBER = systemStatement(
  'remember_browser',
  `with others as (
    select token_hash from known_browsers where user_id = $userId and token_hash <> $browserHash
    order by last_used_at desc offset ${MAX_PER_USER - 1}),
  forgotten as (
    delete from known_browsers where user_id = $userId and token_hash in (select token_hash from others))
  insert into known_browsers (user_id, token_hash, last_used_at) values ($userId, $browserHash, $now)
  on conflict (user_id, token_hash) do update set last_used_at = excluded.last_used_at`,
);

const RECOGNIZE = systemStatement(
  'recognize_browser',
  `select b.token_hash as hash from known_browsers b join users u on u.id = b.user_id
  where b.token_hash = $tokenHash and u.email_key = $emailKey`,
);

const IS_OURS = systemStatement(
  'is_our_browser',
  `select from known_browsers where token_hash = $tokenHash limit 1`,
);

/**
 * Browsers that have signed in to an account before, recognized by a long-lived cookie. The cookie does not
 * sign anybody in. It only gives the browser its own limit of password attempts, which others cannot use up.
 */
@Injectable()
export class KnownBrowsers {
  constructor(
    private readonly database: SignInDatabase,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the hash of the browser's cookie if it has signed in to the account of the address before,
   * otherwise null
   */
  async recognize(cookie: string | null, email: string): Promise<string | null> {
    if (cookie === null) return null;
    const [known] = await this.database.query(RECOGNIZE, {
      tokenHash: hashToken(cookie),
      emailKey: emailKey(email),
    });
    return known?.hash ?? null;
  }

  /**
   * @returns the cookie for the browser: its present one if the service issued it, otherwise a new one
   */
  async remember(cookie: string | null, userId: string): Promise<string> {
    const kept = cookie !== null && (await this.isOurs(cookie)) ? cookie : newSecret();
    await this.database.query(REMEMBER, {
      userId,
      browserHash: hashToken(kept),
      now: this.clock.now(),
    });
    return kept;
  }

  /** A cookie that somebody else put into the browser is not accepted, because its maker would know it. */
  private async isOurs(cookie: string): Promise<boolean> {
    const known = await this.database.query(IS_OURS, { tokenHash: hashToken(cookie) });
    return known.length > 0;
  }

  /** @param kept the hash of the browser to keep */
  async forgetOthers(userId: string, kept: string | null): Promise<void> {
    await this.database.query(FORGET_BROWSERS, { userId, kept });
  }
}
