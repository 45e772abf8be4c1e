import { Operation } from '../../../platform/call/endpoint.js';
import { Controller, Inject } from '@nestjs/common';
import { KnownBrowsers } from '../../../people/sign-in/known-browsers.service.js';
import { Mailer } from '../../../people/accounts/mailer.service.js';
import { PasswordResets } from '../../../people/accounts/password-resets.service.js';
import {
  PasswordReset,
  PasswordResetRequested,
  RequestPasswordResetInput,
  ResetPasswordInput,
  SignInOptions,
} from './auth.dto.js';
import { CONFIG, type Config } from '../../../platform/config/config.js';
import type { Caller } from '../caller.js';
import { Cookies } from '../cookies.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

/** Lets people who have lost their password choose a new one, by e-mail. */
@Controller(API_PATH)
export class PasswordResetController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly resets: PasswordResets,
    private readonly browsers: KnownBrowsers,
    private readonly mailer: Mailer,
    private readonly cookies: Cookies,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'auth/options',
    access: 'public',
    summary: 'Get what the sign-in page can offer',
    output: SignInOptions,
  })
  options(): SignInOptions {
    return { passwordReset: this.mailer.isOn, contact: this.config.supportContact };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'auth/request-password-reset',
    access: 'public',
    summary: 'Request an e-mail with a link to choose a new password',
    description:
      'The link works once and for an hour; a newer one replaces it. The call is refused if the service ' +
      'cannot send e-mail.',
    input: RequestPasswordResetInput,
    output: PasswordResetRequested,
  })
  async request({ email }: RequestPasswordResetInput, { call }: Caller): Promise<PasswordResetRequested> {
    await this.resets.request(this.cookies.visitorOf(call), email);
    return { requested: true };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'auth/reset-password',
    access: 'public',
    summary: 'Choose a new password with the link from the e-mail',
    description:
      'Ends all sessions of the account. Nobody is signed in by it: sign in with the new password, and the ' +
      'second factor if there is one.',
    input: ResetPasswordInput,
    output: PasswordReset,
  })
  async reset({ link, newPassword }: ResetPasswordInput, { call }: Caller): Promise<PasswordReset> {
    const { userId } = await this.resets.redeem(call, link, newPassword);
    // The browser becomes known, because its user can read the account's mail. Attempts of known browsers are
    // counted separately from those of strangers.
    this.cookies.remember(call, await this.browsers.remember(null, userId));
    return { reset: true };
  }
}
