import { Injectable } from '@nestjs/common';
import { hashToken } from '../../platform/auth/token.js';
import { Clock } from '../../platform/clock.js';
import { SignInDatabase } from '../../platform/database/system.js';
import { FORGET_BROWSERS } from '../accounts/accounts.statements.js';
import * as sql from './known-browsers.statements.js';
import { newSecret } from '../accounts/one-time-link.js';
import { emailKey } from '../../platform/text/keys.js';

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
    const [known] = await this.database.query(sql.RECOGNIZE, {
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
    await this.database.query(sql.REMEMBER, {
      userId,
      browserHash: hashToken(kept),
      now: this.clock.now(),
    });
    return kept;
  }

  /** A cookie that somebody else put into the browser is not accepted, because its maker would know it. */
  private async isOurs(cookie: string): Promise<boolean> {
    const known = await this.database.query(sql.IS_OURS, { tokenHash: hashToken(cookie) });
    return known.length > 0;
  }

  /** @param kept the hash of the browser to keep */
  async forgetOthers(userId: string, kept: string | null): Promise<void> {
    await this.database.query(FORGET_BROWSERS, { userId, kept });
  }
}
