import { Inject, Injectable } from '@nestjs/common';
import { hashToken } from '../../platform/auth/token.js';
import { Caps } from '../../platform/caps/caps.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { runOn, SignInDatabase } from '../../platform/database/system.js';
import { invalidInput } from '../../platform/errors.js';
import type { Call } from '../../platform/store/call.js';
import { Accounts } from './accounts.service.js';
import { mailLimit, resetRequestLimit } from '../sign-in/attempt-limits.js';
import { Attempts } from '../sign-in/attempts.service.js';
import { storedEmail } from './email-address.js';
import { resetLetter } from './email-templates.js';
import { Mailer } from './mailer.service.js';
import { newSecret, oneTimeLink, secretOf } from './one-time-link.js';
import { checkPassword, hashPassword } from './password.js';
import type { Visitor } from '../sign-in/known-browsers.service.js';
import { systemStatement } from '../../platform/database/statement.js';

// For the system role: people may belong to any number of stores.

/** A new link replaces earlier ones; expired links are deleted. */
const REPLACE = systemStatement(
  'replace_password_reset',
  `with gone as (
    delete from password_resets where (user_id = $userId or expires_at <= $now) and token_hash <> $tokenHash)
  insert into password_resets (token_hash, user_id, expires_at) values ($tokenHash, $userId, $expiresAt)`,
);

const FIND = systemStatement(
  'find_password_reset',
  `select u.email from password_resets r join users u on u.id = r.user_id
  where r.token_hash = $tokenHash and r.expires_at > $now`,
);

const REDEEM = systemStatement(
  'redeem_password_reset',
  `delete from password_resets where token_hash = $tokenHash and expires_at > $now
  returning user_id as "userId"`,
);

const LIFE_MS = 3_600_000;

/**
 * Lets people set a new password with an e-mailed link, which works once within an hour. The second factor is
 * still required, unless the link is the first proof of the address.
 */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly database: SignInDatabase,
    private readonly accounts: Accounts,
    private readonly attempts: Attempts,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly caps: Caps,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sends a link if there is an account. Even the look-up happens after the answer, so that neither the
   * answer nor its duration reveals whether there is one.
   * @throws OperationError invalid_input if no e-mail can be sent; rate_limited
   */
  async request(visitor: Visitor, address: string): Promise<void> {
    if (!this.mailer.isOn)
      throw invalidInput('This service sends no e-mail; ask its operator for a new password');
    await this.attempts.count(visitor, [resetRequestLimit(visitor.address)]);
    const email = storedEmail(address);
    this.mailer.afterAnswer(() => this.send(email));
  }

  /**
   * Sets the new password and ends all sessions.
   * @returns the owner of the account
   * @throws OperationError invalid_input for a link that was used or has expired, and for a password that is
   * easy to guess
   */
  async redeem(call: Call, link: string, password: string): Promise<{ userId: string }> {
    const tokenHash = hashToken(secretOf(link) ?? '');
    // Hashing a password is slow, so an unusable link is refused first.
    const { email } = await this.find(tokenHash);
    await checkPassword(password, email, 'newPassword');
    const holder = { address: call.address };
    const passwordHash = await this.caps.within('passwords', holder, call, () => hashPassword(password));
    return this.database.transaction(async (client) => {
      const [redeemed] = await runOn(client, REDEEM, { tokenHash, now: this.clock.now() });
      if (!redeemed) throw unusable();
      await this.accounts.prove(client, redeemed.userId);
      await this.accounts.setPassword(client, redeemed.userId, passwordHash, null);
      return redeemed;
    });
  }

  private async find(tokenHash: string): Promise<{ email: string }> {
    const [found] = await this.database.query(FIND, { tokenHash, now: this.clock.now() });
    if (!found) throw unusable();
    return found;
  }

  private async send(email: string): Promise<void> {
    const account = await this.accounts.find(email);
    if (!account || (await this.attempts.waitFor([mailLimit('reset', email)])) > 0) return;
    const secret = newSecret();
    const now = this.clock.now();
    await this.database.query(REPLACE, {
      tokenHash: hashToken(secret),
      userId: account.userId,
      expiresAt: new Date(now.getTime() + LIFE_MS),
      now,
    });
    await this.mailer.send(resetLetter(email, oneTimeLink(this.config.baseUrl, 'reset-password', secret)));
  }
}

const unusable = () => invalidInput('link has been used or is too old; ask for a new one').about('used_link');
