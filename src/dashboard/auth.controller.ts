import { Controller, Inject } from '@nestjs/common';
import type { Page } from '../platform/database/page.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { invalidInput, OperationError } from '../platform/operation/operation-error.js';
import { Accounts, type MembershipRow } from '../people/accounts.service.js';
import { normalEmail } from '../people/email-address.js';
import { type Session, Sessions } from '../people/sessions.service.js';
import { SignInAttempts } from '../people/sign-in-attempts.service.js';
import { ChangePasswordInput, MembershipRecord, SignedOut, SignInInput, SignOutInput, UserRecord } from './auth.dto.js';
import { Route } from './route.decorator.js';
import { API_PATH, type Caller } from './route.metadata.js';
import { sessionCookie, sessionTokenOf } from './session-cookie.js';

@Controller(API_PATH)
export class AuthController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Accounts) private readonly accounts: Accounts,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(SignInAttempts) private readonly attempts: SignInAttempts,
  ) {}

  @Route({
    method: 'POST',
    path: 'auth/sign-in',
    access: 'public',
    summary: 'Sign in with e-mail address and password',
    description:
      'Sets the session cookie. A wrong password and an unknown account are answered alike; attempts are limited for both.',
    input: SignInInput,
    output: UserRecord,
  })
  async signIn({ call }: Caller, input: SignInInput): Promise<UserRecord> {
    const email = normalEmail(input.email);
    await this.attempts.count(call, email);
    const userId = await this.accounts.authenticate(email, input.password);
    if (userId === null) throw new OperationError('invalid_token', 'The e-mail address or the password is wrong');
    await this.attempts.forgive(call, email);
    const replaced = sessionTokenOf(call.headers.cookie);
    if (replaced !== null) await this.sessions.end(replaced);
    const token = await this.sessions.start(userId);
    call.setHeader('Set-Cookie', sessionCookie(token, this.config.baseUrl));
    return userRecord((await this.sessions.find(token, null))!.session);
  }

  @Route({ method: 'POST', path: 'auth/sign-out', summary: 'Sign out', input: SignOutInput, output: SignedOut })
  async signOut({ call, session }: Caller, { everywhere }: SignOutInput): Promise<SignedOut> {
    if (everywhere) await this.sessions.endAllOf(session!.userId);
    else await this.sessions.end(sessionTokenOf(call.headers.cookie)!);
    call.setHeader('Set-Cookie', sessionCookie(null, this.config.baseUrl));
    return { signedOut: true };
  }

  @Route({
    method: 'POST',
    path: 'auth/change-password',
    summary: 'Change the password',
    description: 'Ends all other sessions of the user.',
    input: ChangePasswordInput,
    output: UserRecord,
  })
  async changePassword({ call, session }: Caller, input: ChangePasswordInput): Promise<UserRecord> {
    const { email } = session!;
    // Whoever holds a stolen session must not find the password out by trying.
    await this.attempts.count(call, email);
    if ((await this.accounts.authenticate(email, input.currentPassword)) === null) {
      throw invalidInput('currentPassword is not the password of this account');
    }
    await this.attempts.forgive(call, email);
    await this.accounts.changePassword(session!, input.newPassword);
    return userRecord(session!);
  }

  @Route({ method: 'GET', path: 'me', summary: 'Who is signed in', output: UserRecord })
  me({ session }: Caller): UserRecord {
    return userRecord(session!);
  }

  @Route({
    method: 'GET',
    path: 'stores',
    summary: 'The stores the user is a member of, newest first',
    output: MembershipRecord,
    list: true,
  })
  async stores({ session }: Caller): Promise<Page<MembershipRow>> {
    return { items: await this.accounts.storesOf(session!.userId), nextCursor: null };
  }
}

const userRecord = ({ userId, email, userCreatedAt }: Session): UserRecord => ({ id: userId, email, createdAt: userCreatedAt });
