import { Injectable } from '@nestjs/common';
import { Caps } from '../../platform/caps/caps.js';
import { invalidInput, OperationError } from '../../platform/errors.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { type Account, Accounts } from '../accounts/accounts.service.js';
import { type AttemptLimit, codeLimit, sessionLimit, signInLimits } from './attempt-limits.js';
import { Attempts } from './attempts.service.js';
import { storedEmail } from '../accounts/email-address.js';
import { KnownBrowsers, type Visitor } from './known-browsers.service.js';
import { SecondFactor } from '../accounts/second-factor.service.js';
import { type Session, Sessions } from './sessions.service.js';

export interface Credentials {
  email: string;
  password: string;
  /** A code of the second factor, for an account that has one. */
  code?: string;
}

/** What somebody who is signed in gives once more. */
export interface Proof {
  currentPassword?: string;
  code?: string;
}

/** The cookies of a browser that has signed in. */
export interface SignedIn {
  sessionToken: string;
  browserCookie: string;
}

export interface Identified extends Account {
  /** Whether the account was just created. */
  isNew: boolean;
  /** The attempts to give back. */
  limits: AttemptLimit[];
}

const WRONG = 'The e-mail address or the password is wrong';

/** Identifies people by password and, if the account has one, second factor. */
@Injectable()
export class SignIn {
  constructor(
    private readonly accounts: Accounts,
    private readonly attempts: Attempts,
    private readonly browsers: KnownBrowsers,
    private readonly secondFactor: SecondFactor,
    private readonly sessions: Sessions,
    private readonly caps: Caps,
    private readonly budgets: BudgetGuard,
  ) {}

  /**
   * Checks credentials within the limits on attempts.
   * @param orRegister creates the account if nobody has the address
   * @param proves the person has shown that they read the mail of the address. If it is the first proof, the
   * password is the new one of the account, and access that was set up before ends (docs/behaviour.md §12)
   * @returns 'code required' if the password is right and the account has a second factor, but no code was
   * given
   * @throws OperationError invalid_token for a wrong password, an unknown account and a wrong code;
   * rate_limited
   */
  async identify(
    visitor: Visitor,
    { email: given, password, code }: Credentials,
    { orRegister = false, proves = false } = {},
  ): Promise<Identified | 'code required'> {
    const email = storedEmail(given);
    // Asked first, because it needs no connection of the database.
    await this.budgets.spendAddress(visitor, 'sign-in', 'attempts to sign in');
    const browser = await this.browsers.recognize(visitor.browserCookie, email);
    const limits = signInLimits(email, visitor.address, browser);
    await this.attempts.count(visitor, limits);
    const account = await this.caps.within('passwords', { address: visitor.address }, visitor, async () => {
      const known = orRegister
        ? await this.accounts.authenticateOrRegister(email, password, proves)
        : await this.accounts.authenticate(email, password);
      return known ?? (proves ? await this.accounts.startAnew(email, password) : null);
    });
    if (!account) throw new OperationError('invalid_token', WRONG).about('wrong_sign_in');
    if (await this.secondFactor.isOn(account.userId)) {
      if (code === undefined) {
        // The same sign-in will be repeated with its code, so for the shared limits both are one attempt.
        await this.attempts.giveBack(limits.filter(({ afterSuccess }) => afterSuccess === 'not counted'));
        return 'code required';
      }
      limits.push(await this.useCode(visitor, account.userId, code, browser));
    }
    if (proves) await this.accounts.noteProven(account.userId);
    return { isNew: false, ...account, limits };
  }

  /** Signs in an identified person, and remembers the browser. @throws OperationError invalid_token */
  async open(visitor: Visitor, account: Identified): Promise<SignedIn> {
    const sessionToken = await this.sessions.start(account, visitor);
    if (sessionToken === null) throw new OperationError('invalid_token', WRONG).about('wrong_sign_in');
    await this.attempts.giveBack(account.limits);
    return {
      sessionToken,
      browserCookie: await this.browsers.remember(visitor.browserCookie, account.userId),
    };
  }

  /**
   * Checks the password or a code again for somebody who is signed in, within the session's own limit.
   * @throws OperationError invalid_input if it is wrong; rate_limited
   */
  async confirm(visitor: Visitor, session: Session, { currentPassword, code }: Proof): Promise<void> {
    const { userId, email, tokenHash } = session;
    const limits = [sessionLimit(tokenHash)];
    if (currentPassword === undefined) limits.push(codeLimit(userId, 'signed-in'));
    await this.attempts.count(visitor, limits);
    if (currentPassword !== undefined) {
      const holder = { userId, address: visitor.address };
      const check = () => this.accounts.authenticate(email, currentPassword);
      if (!(await this.caps.within('passwords', holder, visitor, check)))
        throw invalidInput('currentPassword is not the password of this account').about('wrong_password', {
          path: 'currentPassword',
        });
    } else if (code === undefined || !(await this.secondFactor.use(userId, code))) {
      throw invalidInput('code is wrong, or was used before').about('wrong_code', { path: 'code' });
    }
    await this.attempts.giveBack(limits);
  }

  /**
   * Turns the second factor on. Other known browsers are forgotten, because they never had to give a code.
   */
  async confirmSecondFactor(
    visitor: Visitor,
    { userId, email, tokenHash }: Session,
    code: string,
  ): Promise<string[]> {
    const limits = [sessionLimit(tokenHash)];
    await this.attempts.count(visitor, limits);
    const recoveryCodes = await this.secondFactor.confirm(userId, code);
    await this.attempts.giveBack(limits);
    await this.browsers.forgetOthers(userId, await this.browsers.recognize(visitor.browserCookie, email));
    return recoveryCodes;
  }

  private async useCode(
    visitor: Visitor,
    userId: string,
    code: string,
    browser: string | null,
  ): Promise<AttemptLimit> {
    const limit = codeLimit(userId, browser);
    await this.attempts.count(visitor, [limit]);
    if (await this.secondFactor.use(userId, code)) return limit;
    throw new OperationError('invalid_token', 'The code is wrong, or was used before').about('wrong_code');
  }
}
