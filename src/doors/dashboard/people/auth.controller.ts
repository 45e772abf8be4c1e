import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { currencyExponent } from '../../../platform/money.js';
import type { Page } from '../../../platform/schema/pages/page.js';
import { Accounts } from '../../../people/accounts/accounts.service.js';
import { hashToken } from '../../../platform/auth/token.js';
import { type Session, Sessions } from '../../../people/sign-in/sessions.service.js';
import { SignIn } from '../../../people/sign-in/sign-in.service.js';
import {
  ChangePasswordInput,
  MembershipRecord,
  SignedOut,
  SignInInput,
  SignInResult,
  SignOutInput,
  UserRecord,
} from './auth.dto.js';
import type { Caller } from '../caller.js';
import { Cookies } from '../cookies.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

@Controller(API_PATH)
export class AuthController {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly people: SignIn,
    private readonly cookies: Cookies,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'auth/sign-in',
    access: 'public',
    summary: 'Sign in with e-mail address and password',
    description:
      'Sets the session cookie, and one that lets this browser be recognized. A wrong password and an ' +
      'unknown account are answered alike; attempts are limited for both. An account with a second factor ' +
      'also needs a code.',
    input: SignInInput,
    output: SignInResult,
  })
  async signIn(input: SignInInput, { call }: Caller): Promise<SignInResult> {
    const visitor = this.cookies.visitorOf(call);
    const account = await this.people.identify(visitor, input);
    if (account === 'code required') return { codeRequired: true };
    const replaced = this.cookies.sessionOf(call);
    if (replaced !== null) await this.sessions.end(replaced);
    const signedIn = await this.people.open(visitor, account);
    this.cookies.signIn(call, signedIn);
    return userRecord((await this.sessions.find(signedIn.sessionToken, null))!.session);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'auth/sign-out',
    summary: 'Sign out',
    input: SignOutInput,
    output: SignedOut,
    isAlwaysAnswered: true,
  })
  async signOut({ everywhere }: SignOutInput, { call, session }: Caller): Promise<SignedOut> {
    if (everywhere) await this.sessions.endAllOf(session!.userId);
    else await this.sessions.end(this.cookies.sessionOf(call)!);
    this.cookies.signOut(call);
    return { signedOut: true };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'auth/change-password',
    summary: 'Change the password',
    description: 'The call ends all other sessions of the user.',
    input: ChangePasswordInput,
    output: UserRecord,
  })
  async changePassword(
    { currentPassword, newPassword }: ChangePasswordInput,
    { call, session }: Caller,
  ): Promise<UserRecord> {
    const visitor = this.cookies.visitorOf(call);
    await this.people.confirm(visitor, session!, { currentPassword });
    const { tokenHash } = session!;
    const browser = visitor.browserCookie === null ? null : hashToken(visitor.browserCookie);
    await this.accounts.changePassword(call, session!, newPassword, { session: tokenHash, browser });
    return userRecord(session!);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'me',
    summary: 'Get the signed-in user',
    output: UserRecord,
  })
  me(_input: object, { session }: Caller): UserRecord {
    return userRecord(session!);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores',
    summary: 'List the stores of the signed-in user, newest first',
    output: MembershipRecord,
    list: true,
  })
  async stores(_input: object, { session }: Caller): Promise<Page<MembershipRecord>> {
    const stores = await this.accounts.openStoresOf(session!.userId);
    const items = stores.map((store) => ({
      ...store,
      currencyDecimals: currencyExponent(store.currency),
      uploads: true,
    }));
    return { items, nextCursor: null };
  }
}

const userRecord = ({ userId, email, userCreatedAt }: Session): UserRecord => ({
  id: userId,
  email,
  createdAt: userCreatedAt,
});
